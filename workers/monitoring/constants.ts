/**
 * The eight constants that were specified for this product (the first eight), and the limits chosen around them.
 * Each name contains its unit. A test asserts the first eight against the initialised SDKs.
 */

/** Where browsers post their envelopes: first-party, so that no rule about the receiver's host and no CSP source is involved. */
export const TUNNEL_PATH = "/monitoring";
/** A 429 that names no time pauses everything for this long (Sentry protocol, rate limiting). */
export const DEFAULT_BACKOFF_MS = 60_000;
/** One event is one envelope. The SDKs' own defaults are 40 in the browser and 256 on Cloudflare. */
export const SEND_QUEUE_EVENTS_MAX = 64;
/**
 * Logs are batched for up to this long. The browser SDK's timer starts with the first log and later ones don't extend it, so no log waits
 * longer; a page that is hidden sends immediately. Cloudflare's SDK has no timer (it sets its interval to 0 itself): there logs are sent at
 * the end of the request that wrote them.
 */
export const LOG_FLUSH_IDLE_MS = 5_000;
/** How many `cause`s of an error are reported with it. */
export const LINKED_ERRORS_MAX = 5;
/** A trace ends after this long without activity. */
export const TRACE_IDLE_MS = 1_000;
/** Maximum duration of a trace. */
export const TRACE_FINAL_MS = 30_000;
/** A trace ends when one child span has been open for this long. */
export const TRACE_CHILD_SPAN_MS = 15_000;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Plain bytes that the tunnel may hold per isolate, of the Worker's 128 MB in total. */
export const SEND_QUEUE_BYTES_MAX = 32 * MIB;
/** Retry-After sent to a browser when the queue is full: the maximum duration of one delivery. */
export const QUEUE_RETRY_AFTER_S = 10;
/** The rate limiter's binding counts in minutes. */
export const RATE_LIMIT_RETRY_AFTER_S = 60;

/** Largest body of an envelope, unless `SENTRY_TUNNEL_BODY_BYTES_MAX` says otherwise. */
export const BODY_BYTES_DEFAULT = 1 * MIB;
/** The most that `SENTRY_TUNNEL_BODY_BYTES_MAX` can allow. */
export const BODY_BYTES_CEILING = 8 * MIB;
/** Bodies up to this size are read in one go: cheaper, and too small to need streaming limits. */
export const BODY_BYTES_SMALL = 64 * KIB;
/** A body that hasn't fully arrived by then is abandoned: it would occupy bytes of the queue. */
export const BODY_READ_MS = 10_000;
/**
 * When a request is refused before its body was read, up to this many more bytes are read and discarded, for at most the time below:
 * closing the connection on unread bytes resets it, and the client would see the reset instead of the response.
 */
export const DRAINED_BYTES_MAX = 16 * MIB;
/** How long the body of a refused request is read and discarded. */
export const DRAIN_MS = 2_000;
/** A compressed body may expand to this many times the body limit, and never beyond the size of the queue. */
export const DECODED_TIMES_MAX = 8;
/** Largest window of a zstd body, as a power of two: 8 MiB, the most that RFC 9659 allows; the library would reserve up to 128 MiB. */
export const ZSTD_WINDOW_LOG_MAX = 23;
/** Envelope and item headers are one line of JSON each. */
export const HEADER_LINE_BYTES_MAX = 64 * KIB;
/** Several times the receiver's limits for all kinds together: unknown kinds have no limit of their own there. */
export const ENVELOPE_ITEMS_MAX = 1_000;

/** Deadline of one attempt to reach the receiver. */
export const UPSTREAM_ATTEMPT_MS = 10_000;
/** Deadline of all attempts together; Cloudflare gives `waitUntil` 30 s. */
export const UPSTREAM_DEADLINE_MS = 25_000;
/** Pauses before the second and the third attempt. */
export const UPSTREAM_PAUSES_MS: readonly number[] = [500, 2_000];
/** The receiver's response is read up to this size: a real receiver sends 41 bytes. */
export const UPSTREAM_ANSWER_BYTES_MAX = 1 * KIB;

/** A client report may have 4,096 bytes (Sentry protocol, size limits); one entry takes up to 80. */
export const REPORT_ENTRIES_MAX = 40;

/** Where browsers report what the content security policy blocked: on the site's own origin, and only with diagnostics on. */
export const VIOLATIONS_PATH = "/monitoring/reports";
/** A report is about 1 KiB, and browsers send several in one request. */
export const VIOLATIONS_BODY_BYTES_MAX = 64 * KIB;
/** Different violations forwarded from one request; a page rarely causes more than one or two. */
export const VIOLATIONS_PER_BODY_MAX = 10;
/** The same violation is sent once per isolate within this time. */
export const VIOLATION_WINDOW_MS = 600_000;
/** Different violations within that time: an attacker can invent paths, and errors share the queue. */
export const VIOLATIONS_PER_WINDOW_MAX = 50;

/** Errors buffered until the SDK has loaded. */
export const EARLY_ERRORS_MAX = 64;
/** An event equal to one of the page's last N events is a duplicate. */
export const REMEMBERED_EVENTS_MAX = 20;
