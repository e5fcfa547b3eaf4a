import {
  VIOLATION_WINDOW_MS,
  VIOLATIONS_BODY_BYTES_MAX,
  VIOLATIONS_PER_BODY_MAX,
  VIOLATIONS_PER_WINDOW_MAX,
} from "../constants.ts";
import { type Dsn, envelopeUrl } from "../envelopes/dsn.rules.ts";
import { parseEnvelope } from "../envelopes/envelope.rules.ts";
import { forwardEnvelope, type Parcel } from "../forwarding/forward-envelope.server.ts";
import { isLimited } from "../forwarding/rate-limits.rules.ts";
import { contentEncoding, drainBody, readBody } from "../forwarding/read-body.server.ts";
import { type Background, refuse, refuseUnread, type IsRateLimited } from "../refuse.server.ts";
import { type DiagnosticsSettings, headersUp } from "../rules.ts";
import { isolateQueue, type SendQueue } from "../forwarding/send-queue.server.ts";
import { readViolations, reportFormat, type Violation, violationKey } from "./violations.rules.ts";
import { violationEnvelope } from "./violation-envelope.rules.ts";

/** The violations of the last minutes, per isolate. Bounded, since an attacker who posts reports can invent paths. */
export class SeenViolations {
  readonly #until = new Map<string, number>();

  /** `full` means that a new violation exceeds the limit. */
  check(key: string, now: number): "new" | "seen" | "full" {
    if ((this.#until.get(key) ?? 0) > now) return "seen";
    // In order of insertion, which is the order of expiry.
    for (const [old, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(old);
    }
    return this.#until.size < VIOLATIONS_PER_WINDOW_MAX ? "new" : "full";
  }

  remember(key: string, now: number): void {
    this.#until.set(key, now + VIOLATION_WINDOW_MS);
  }
}

const isolateViolations = new SeenViolations();

/** State, and what varies between calls, so that each test has its own. */
type Surroundings = {
  now: () => number;
  newEventId: () => string;
  isRateLimited?: IsRateLimited;
  queue?: SendQueue;
  seen?: SeenViolations;
};

/**
 * The site's own endpoint for browsers' reports about its content security policy. It always answers 204, because a browser could only
 * send the report again. Reports share queue, back-off and counts with the tunnel.
 */
export async function relayViolations(
  request: Request,
  settings: DiagnosticsSettings,
  ctx: Background,
  { now, newEventId, isRateLimited, queue = isolateQueue, seen = isolateViolations }: Surroundings,
): Promise<Response> {
  const { headers } = request;
  // Browsers send reports uncompressed.
  const format = contentEncoding(headers) === null ? reportFormat(headers.get("Content-Type")) : null;
  const early =
    (await refuseUnread(request, settings, isRateLimited, "reports ")) ??
    (format === null ? refuse(415, "not a report") : null);
  if (early !== null || format === null || settings.dsn === null) {
    await drainBody(request);
    return early ?? new Response(null, { status: 204 });
  }
  const body = await readBody(request, VIOLATIONS_BODY_BYTES_MAX, queue);
  if (!body.ok) return REFUSALS[body.refusal]();
  queue.releaseBytes(body.bytes.length);
  const violations = readViolations(body.bytes, format, new URL(request.url).origin);
  if (violations === null) return refuse(400, "malformed report");
  const { dsn, environment, release } = settings;
  const pick = picker(queue, seen, now());
  for (const violation of violations.filter(pick)) {
    const bytes = violationEnvelope(violation, { dsn, environment, release, eventId: newEventId(), now: now() });
    if (!queue.enter(bytes.length)) {
      queue.count("queue_overflow", ONE_REPORT);
      continue;
    }
    const sent = forwardEnvelope(parcelOf(bytes, dsn, headers), settings.sending, queue, now);
    ctx.waitUntil(sent.finally(() => queue.leave(bytes.length)));
  }
  return new Response(null, { status: 204 });
}

const REFUSALS = {
  "too-large": () => refuse(413, "body too large"),
  broken: () => refuse(400, "body unreadable"),
  "queue-full": () => new Response(null, { status: 204 }),
};

const ONE_REPORT = [{ category: "security", quantity: 1 }];

/**
 * Which reports of one request are sent: none that was sent recently, none during a back-off of the receiver, and no more than the
 * window allows.
 */
function picker(queue: SendQueue, seen: SeenViolations, now: number): (violation: Violation) => boolean {
  let picked = 0;
  return (violation) => {
    const key = violationKey(violation);
    const verdict = seen.check(key, now);
    if (verdict === "seen") return false;
    const isHeldBack = isLimited(queue.limits, ["security"], now);
    if (isHeldBack || verdict === "full" || picked === VIOLATIONS_PER_BODY_MAX) {
      queue.count(isHeldBack ? "ratelimit_backoff" : "queue_overflow", ONE_REPORT);
      return false;
    }
    seen.remember(key, now);
    picked += 1;
    return true;
  };
}

/** Takes the browser's name but not its address, which a report doesn't need. */
function parcelOf(bytes: Uint8Array, dsn: Dsn, headers: Headers): Parcel {
  return {
    url: envelopeUrl(dsn),
    headers: headersUp(headers, null, false),
    bytes,
    takesReport: true,
    read: () => {
      const framing = parseEnvelope(bytes);
      return framing.ok ? framing.envelope : null;
    },
  };
}
