/**
 * The eight constants this product was given (the first eight), and the limits we chose around them.
 * Each has its unit in its name. A test asserts the first eight against the initialised SDKs.
 */

/** Where browsers post their envelopes: first-party, so that no blocker and no CSP source is involved. */
export const TUNNEL_PATH = "/monitoring";
/** A 429 that names no time pauses everything for this long (Sentry protocol, rate limiting). */
export const DEFAULT_BACKOFF_MS = 60_000;
/** One event is one envelope. The SDKs' own defaults are 40 in the browser and 256 on Cloudflare. */
export const SEND_QUEUE_EVENTS_MAX = 64;
/**
 * A log waits this long for company. The browser SDK's timer starts with the first log and isn't put off by later ones, so
 * it is the longest that one waits; a page that is hidden sends at once. Cloudflare's SDK knows no timer (it sets its
 * interval to 0 itself): there logs leave with the end of the request that they are of.
 */
export const LOG_FLUSH_IDLE_MS = 5_000;
/** How many `cause`s of an error are reported with it. */
export const LINKED_ERRORS_MAX = 5;
/** A trace ends when nothing has happened for this long. */
export const TRACE_IDLE_MS = 1_000;
/** A trace ends at the latest after this long. */
export const TRACE_FINAL_MS = 30_000;
/** A trace ends when one child span has been open for this long. */
export const TRACE_CHILD_SPAN_MS = 15_000;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Plain bytes the tunnel may hold per isolate, of the 128 MB that all of the Worker has. */
export const SEND_QUEUE_BYTES_MAX = 32 * MIB;
/** A browser is told to come back after this long when the queue is full: the time one sending may take. */
export const QUEUE_RETRY_AFTER_S = 10;
/** The flood binding counts in minutes. */
export const FLOOD_RETRY_AFTER_S = 60;

/** Largest body of an envelope, unless `SENTRY_TUNNEL_BODY_BYTES_MAX` says otherwise. */
export const BODY_BYTES_DEFAULT = 1 * MIB;
/** The most that `SENTRY_TUNNEL_BODY_BYTES_MAX` can allow. */
export const BODY_BYTES_CEILING = 8 * MIB;
/** Bodies up to this size are read in one go: cheaper, and too small to be worth watching. */
export const BODY_BYTES_SMALL = 64 * KIB;
/** A body that has not arrived by then is not waited for: it would hold bytes of the queue. */
export const BODY_READ_MS = 10_000;
/**
 * A request that is refused before its body has been read is read on for this much and this long, and thrown away: closing the
 * connection on unread bytes resets it, and the client would see that in place of the answer.
 */
export const DRAINED_BYTES_MAX = 16 * MIB;
/** How long a refused body is read on. */
export const DRAIN_MS = 2_000;
/** A compressed body may unfold to this many times the body cap, never to more than the queue holds, and not a byte further. */
export const DECODED_TIMES_MAX = 8;
/** Envelope and item headers are one line of JSON each. */
export const HEADER_LINE_BYTES_MAX = 64 * KIB;
/** Several times what the receiver takes of all kinds together: unknown kinds have no cap of their own there. */
export const ENVELOPE_ITEMS_MAX = 1_000;

/** One attempt to reach the receiver. */
export const UPSTREAM_ATTEMPT_MS = 10_000;
/** All attempts together; Cloudflare gives `waitUntil` 30 s. */
export const UPSTREAM_DEADLINE_MS = 25_000;
/** Pauses before the second and the third attempt. */
export const UPSTREAM_PAUSES_MS: readonly number[] = [500, 2_000];
/** The receiver's answer is read up to here and no further: it is 41 bytes when the receiver is one. */
export const UPSTREAM_ANSWER_BYTES_MAX = 1 * KIB;

/** A client report may have 4,096 bytes (Sentry protocol, size limits); one entry takes up to 80. */
export const REPORT_ENTRIES_MAX = 40;

/** Where browsers report what the content security policy blocked: on the own origin, and only while diagnostics are on. */
export const VIOLATIONS_PATH = "/monitoring/reports";
/** A report has about one KiB, and browsers send several at once. */
export const VIOLATIONS_BODY_BYTES_MAX = 64 * KIB;
/** Different violations that are sent from one request; what a page breaks is seldom more than one or two. */
export const VIOLATIONS_PER_BODY_MAX = 10;
/** The same violation is sent once in this time per isolate. */
export const VIOLATION_WINDOW_MS = 600_000;
/** Different violations in that time: an attacker can make up paths, and the queue is for errors as well. */
export const VIOLATIONS_PER_WINDOW_MAX = 50;

/** Errors stored until the SDK has loaded. */
export const EARLY_ERRORS_MAX = 64;
/** An event equal to one of the page's last so many is a duplicate. */
export const REMEMBERED_EVENTS_MAX = 20;
