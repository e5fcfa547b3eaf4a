import { FLOOD_RETRY_AFTER_S, QUEUE_RETRY_AFTER_S } from "./constants.ts";
import { envelopeUrl, isSameDestination, parseDsn } from "./dsn.rules.ts";
import { type Envelope, type EnvelopeItem, parseEnvelope, peekFirstItem, rebuildEnvelope } from "./envelope.rules.ts";
import { forwardEnvelope, type Parcel } from "./forward-envelope.server.ts";
import { categoriesOf, hasTooManyItems, type Loss, lossesOf } from "./items.rules.ts";
import { formatLimits, isLimited, limitedUntil, secondsUntil } from "./rate-limits.rules.ts";
import { type BodyRefusal, contentEncoding, decodeBody, readBody } from "./read-body.server.ts";
import { acceptedBody, type DiagnosticsSettings, floodKey, headersUp, isForeign, isTunnelPath } from "./rules.ts";
import { SendQueue } from "./send-queue.server.ts";

export type Background = { waitUntil(promise: Promise<unknown>): void };
/** The part of Cloudflare's rate limiting binding that is used here. */
export type RateLimit = { limit(options: { key: string }): Promise<{ success: boolean }> };

/** The one piece of state of this room: per isolate, lost with it. */
const isolateQueue = new SendQueue();

/**
 * Takes one envelope from one of our pages and answers as soon as it is accepted; the receiver is somebody the browser
 * never waits for. The checks stand in the order in which they answer.
 */
export async function relayEnvelope(
  request: Request,
  settings: DiagnosticsSettings,
  ctx: Background,
  now: () => number,
  flood?: RateLimit,
  queue: SendQueue = isolateQueue,
): Promise<Response> {
  const url = new URL(request.url);
  if (!isTunnelPath(url.pathname)) return refuse(404, "not the tunnel");
  if (request.method !== "POST") return refuse(405, "POST only", { Allow: "POST" });
  if (settings.dsn === null) return new Response(null, { status: 204 });
  if (isForeign(request.headers, url.origin)) return refuse(403, "foreign origin");
  if (await isFlood(request, flood))
    return refuse(429, "too many requests", { "Retry-After": String(FLOOD_RETRY_AFTER_S) });
  const body = await readBody(request, settings.bodyBytesMax, queue);
  if (!body.ok) return refuseBody(body.refusal, body.seen, queue);
  // From here to the answer nothing waits: the queue cannot change in between.
  const answer = relayBytes(body.bytes, request.headers, settings, queue, now);
  if (answer instanceof Response) {
    queue.releaseBytes(body.bytes.length);
    return answer;
  }
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
  if (!framing.ok) return refuse(400, framing.fault);
  const { envelope } = framing;
  const refusal = refuseContent(envelope, settings);
  if (refusal !== null || settings.dsn === null) return refusal ?? refuse(403, "off");
  const kept = dropLimited(envelope, queue, now());
  if (kept.length === 0) return refuseLimited(envelope, queue, now());
  const rebuilt = rebuildEnvelope(envelope, kept);
  // Untouched envelopes go up as they came, still compressed; changed ones go up plain.
  const isUntouched = rebuilt === decoded.bytes;
  const sent = isUntouched ? bytes : rebuilt;
  if (!queue.enter(sent.length - bytes.length)) return refuseFull(queue, allLosses(kept, envelope.bytes));
  const isCompressed = isUntouched && encoding !== null;
  // Counted in advance where the bytes that are kept can't be read again.
  const counted = isCompressed ? allLosses(kept, envelope.bytes) : null;
  const parcel = {
    url: envelopeUrl(settings.dsn),
    headers: headersUp(headers, isCompressed ? encoding : null, settings.forwardsAddress),
    bytes: sent,
    isCompressed,
    losses: () => counted ?? lossesOfBytes(sent),
  };
  const limits = formatLimits(queue.limits, now());
  const down: HeadersInit = limits === null ? {} : { "X-Sentry-Rate-Limits": limits };
  return { parcel, response: answerJson(200, acceptedBody(envelope.header["event_id"]), down) };
}

function refuseContent(envelope: Envelope, { dsn: own }: DiagnosticsSettings): Response | null {
  const { header, items } = envelope;
  if (items.length === 0) return refuse(400, "empty envelope");
  if (hasTooManyItems(items)) return refuse(413, "too many items of a kind");
  const text = header["dsn"];
  if (typeof text !== "string") return refuse(400, "no dsn in the envelope header");
  const dsn = parseDsn(text);
  return dsn === null || own === null || !isSameDestination(dsn, own) ? refuse(403, "foreign dsn") : null;
}

function dropLimited(envelope: Envelope, queue: SendQueue, now: number): readonly EnvelopeItem[] {
  const dropped = envelope.items.filter((item) => isLimited(queue.limits, categoriesOf(item), now));
  if (dropped.length === 0) return envelope.items;
  queue.count("ratelimit_backoff", allLosses(dropped, envelope.bytes));
  return envelope.items.filter((item) => !dropped.includes(item));
}

function allLosses(items: readonly EnvelopeItem[], bytes: Uint8Array): readonly Loss[] {
  return items.flatMap((item) => lossesOf(item, bytes));
}

/** Read again, and only when something was lost: offsets kept in between would hold on to the decoded body. */
function lossesOfBytes(bytes: Uint8Array): readonly Loss[] {
  const framing = parseEnvelope(bytes);
  return framing.ok ? allLosses(framing.envelope.items, bytes) : [];
}

function refuseLimited(envelope: Envelope, queue: SendQueue, now: number): Response {
  const until = limitedUntil(queue.limits, envelope.items.flatMap(categoriesOf));
  return refuse(429, "rate limited", {
    "Retry-After": String(secondsUntil(until, now)),
    "X-Sentry-Rate-Limits": formatLimits(queue.limits, now) ?? "",
  });
}

/** The binding is a flood cover, not a lock: if it fails, envelopes pass. */
async function isFlood(request: Request, flood: RateLimit | undefined): Promise<boolean> {
  if (flood === undefined) return false;
  try {
    const { success } = await flood.limit({ key: floodKey(request.headers.get("CF-Connecting-IP")) });
    return !success;
  } catch {
    return false;
  }
}

function refuseBody(refusal: BodyRefusal, seen: Uint8Array, queue: SendQueue): Response {
  switch (refusal) {
    case "too-large":
      return refuse(413, "body too large");
    case "broken":
      return refuse(400, "body unreadable");
    case "queue-full": {
      const item = peekFirstItem(seen);
      return refuseFull(queue, item === null ? [{ category: "default", quantity: 1 }] : lossesOf(item, seen));
    }
  }
}

function refuseFull(queue: SendQueue, losses: readonly Loss[]): Response {
  queue.count("queue_overflow", losses);
  return refuse(429, "queue full", { "Retry-After": String(QUEUE_RETRY_AFTER_S) });
}

/** The shape of the receiver's own refusals. */
function refuse(status: number, detail: string, headers: HeadersInit = {}): Response {
  return answerJson(status, JSON.stringify({ detail }), headers);
}

function answerJson(status: number, body: string, headers: HeadersInit): Response {
  return new Response(body, { status, headers: { ...headers, "Content-Type": "application/json" } });
}
