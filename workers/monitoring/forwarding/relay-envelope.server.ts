import { secondsUntil } from "../deadline.ts";
import { countsItsOwn413 } from "../envelopes/client-report.rules.ts";
import { QUEUE_RETRY_AFTER_S } from "../constants.ts";
import { envelopeUrl, isSameDestination, parseDsn } from "../envelopes/dsn.rules.ts";
import {
  type Envelope,
  type EnvelopeItem,
  isSaidOnce,
  parseEnvelope,
  peekEnvelope,
  rebuildEnvelope,
} from "../envelopes/envelope.rules.ts";
import { forwardEnvelope, type Parcel } from "./forward-envelope.server.ts";
import { allLosses, categoriesOf, hasRoomForReport, hasTooManyItems, type Loss } from "../envelopes/items.rules.ts";
import { formatLimits, isLimited, limitedUntil } from "./rate-limits.rules.ts";
import {
  ACCEPTED_ENCODINGS,
  type BodyRefusal,
  contentEncoding,
  decodeBody,
  type DecodeRefusal,
  drainBody,
  readBody,
} from "./read-body.server.ts";
import { answerJson, type Background, refuse, refuseUnread, type IsRateLimited } from "../refuse.server.ts";
import { acceptedBody, type DiagnosticsSettings, headersUp, isTunnelPath } from "../rules.ts";
import { isolateQueue, type SendQueue } from "./send-queue.server.ts";

/**
 * Accepts one envelope from one of our pages and responds as soon as it is accepted: the browser never waits for the
 * receiver. The checks are in the order in which they respond.
 */
export async function relayEnvelope(
  request: Request,
  settings: DiagnosticsSettings,
  ctx: Background,
  now: () => number,
  isRateLimited?: IsRateLimited,
  queue: SendQueue = isolateQueue,
): Promise<Response> {
  const isHere = isTunnelPath(new URL(request.url).pathname);
  const early = isHere ? await refuseUnread(request, settings, isRateLimited, "") : refuse(404, "not the tunnel");
  if (early !== null) {
    await drainBody(request);
    return early;
  }
  const body = await readBody(request, settings.bodyBytesMax, queue);
  if (!body.ok) return refuseBody(body.refusal, body.seen, queue);
  // Nothing is awaited from here to the response: the queue can't change in between.
  let answer: Response | Accepted | null = null;
  try {
    answer = relayBytes(body.bytes, request.headers, settings, queue, now);
  } finally {
    // Also when it throws: bytes that are never released would fill the queue permanently.
    if (answer === null || answer instanceof Response) queue.releaseBytes(body.bytes.length);
  }
  if (answer instanceof Response) return answer;
  const { parcel, response } = answer;
  const sent = forwardEnvelope(parcel, settings.sending, queue, now);
  ctx.waitUntil(sent.finally(() => queue.leave(parcel.bytes.length)));
  return response;
}

type Accepted = { parcel: Parcel; response: Response };

function relayBytes(
  bytes: Uint8Array,
  headers: Headers,
  settings: DiagnosticsSettings,
  queue: SendQueue,
  now: () => number,
): Response | Accepted {
  const encoding = contentEncoding(headers);
  const decoded = decodeBody(bytes, encoding, settings.bodyBytesMax);
  if (!decoded.ok) return refuseBody(decoded.refusal, bytes, queue);
  const framing = parseEnvelope(decoded.bytes);
  if (!framing.ok) {
    if (framing.fault !== "too_many_items") return refuse(400, framing.fault);
    return refuseLarge("too many items", decoded.bytes, queue);
  }
  const { envelope } = framing;
  const refusal = refuseContent(envelope, settings, queue);
  if (refusal !== null || settings.dsn === null) return refusal ?? refuse(403, "off");
  const remaining = dropLimited(envelope, queue, now());
  if (remaining.length === 0) return refuseLimited(envelope, queue, now());
  const rebuilt = rebuildEnvelope(envelope, remaining);
  // Unchanged envelopes are forwarded as they came, still compressed; changed ones are forwarded uncompressed.
  const isUntouched = rebuilt === decoded.bytes;
  const sent = isUntouched ? bytes : rebuilt;
  const sentEncoding = isUntouched ? encoding : null;
  const parcel = {
    url: envelopeUrl(settings.dsn),
    headers: headersUp(headers, sentEncoding, settings.forwardsAddress),
    bytes: sent,
    // Nothing can be appended to compressed bytes.
    takesReport: sentEncoding === null && hasRoomForReport(remaining),
    read: () => readAgain(sent, sentEncoding, settings.bodyBytesMax),
  };
  const limits = formatLimits(queue.limits, now());
  const down: HeadersInit = limits === null ? {} : { "X-Sentry-Rate-Limits": limits };
  const response = answerJson(200, acceptedBody(envelope.header["event_id"]), down);
  if (!queue.enter(sent.length - bytes.length)) return refuseFull(queue, allLosses(remaining, envelope.bytes));
  return { parcel, response };
}

/** Parses only after a failure: an envelope parsed in advance would retain the decoded body in the meantime. */
function readAgain(sent: Uint8Array, encoding: string | null, bytesMax: number): Envelope | null {
  const decoded = decodeBody(sent, encoding, bytesMax);
  const framing = decoded.ok ? parseEnvelope(decoded.bytes) : decoded;
  return "envelope" in framing ? framing.envelope : null;
}

function refuseContent(envelope: Envelope, { dsn: own }: DiagnosticsSettings, queue: SendQueue): Response | null {
  const { header, items } = envelope;
  if (items.length === 0) return refuse(400, "empty envelope");
  if (hasTooManyItems(items)) return refuseLarge("too many items of a kind", envelope.bytes, queue);
  // SDKs of 8.0 to 8.2 leave it out of spans, and there is one destination anyway.
  if (!Object.hasOwn(header, "dsn")) return null;
  const text = header["dsn"];
  const dsn = typeof text === "string" ? parseDsn(text) : null;
  const isOwn = dsn !== null && own !== null && isSameDestination(dsn, own) && isSaidOnce(envelope, "dsn");
  return isOwn ? null : refuse(403, "foreign dsn");
}

function dropLimited(envelope: Envelope, queue: SendQueue, now: number): readonly EnvelopeItem[] {
  const isDropped = (item: EnvelopeItem): boolean => isLimited(queue.limits, categoriesOf(item), now);
  queue.count("ratelimit_backoff", allLosses(envelope.items.filter(isDropped), envelope.bytes));
  return envelope.items.filter((item) => !isDropped(item));
}

function refuseLimited(envelope: Envelope, queue: SendQueue, now: number): Response {
  const until = limitedUntil(queue.limits, envelope.items.flatMap(categoriesOf));
  return refuse(429, "rate limited", {
    "Retry-After": String(secondsUntil(until, now)),
    "X-Sentry-Rate-Limits": formatLimits(queue.limits, now) ?? "",
  });
}

function refuseBody(refusal: BodyRefusal | DecodeRefusal, seen: Uint8Array, queue: SendQueue): Response {
  switch (refusal) {
    case "too-large":
      return refuseLarge("body too large", seen, queue);
    case "broken":
      return refuse(400, "body unreadable");
    case "unknown-encoding":
      return refuse(415, "unknown content encoding", { "Accept-Encoding": ACCEPTED_ENCODINGS });
    case "queue-full":
      return refuseFull(queue, lossesIn(seen));
  }
}

function refuseLarge(detail: string, seen: Uint8Array, queue: SendQueue): Response {
  const header = peekEnvelope(seen)?.header ?? {};
  if (!countsItsOwn413(header)) queue.count("send_error", lossesIn(seen));
  return refuse(413, detail);
}

/** Of what can be recognised in the beginning of a body; something was lost in any case. */
function lossesIn(seen: Uint8Array): readonly Loss[] {
  const envelope = peekEnvelope(seen);
  if (envelope === null || envelope.items.length === 0) return [{ category: "default", quantity: 1 }];
  return allLosses(envelope.items, seen);
}

function refuseFull(queue: SendQueue, losses: readonly Loss[]): Response {
  queue.count("queue_overflow", losses);
  return refuse(429, "queue full", { "Retry-After": String(QUEUE_RETRY_AFTER_S) });
}
