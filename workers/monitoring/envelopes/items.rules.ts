/**
 * What an envelope item counts as: the data categories that rate limits name, how many of a kind one envelope may contain,
 * and what is lost when the item is dropped. Where SDKs and the receiver (Relay) map an item differently, the receiver's
 * mapping applies, because its limits are the ones enforced.
 */
import type { EnvelopeItem } from "./envelope.rules.ts";

/** Item type to the categories whose limit blocks it, the counted one first. Types without a category obey "all" only. */
const CATEGORIES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ["event", ["error"]],
  ["transaction", ["transaction"]],
  ["security", ["security"]],
  ["raw_security", ["security"]],
  ["unreal_report", ["error"]],
  ["attachment", ["attachment_item", "attachment"]],
  ["session", ["session"]],
  ["sessions", ["session"]],
  ["statsd", ["metric_bucket"]],
  ["metric_buckets", ["metric_bucket"]],
  ["log", ["log_item", "log_byte"]],
  ["trace_metric", ["trace_metric", "trace_metric_byte"]],
  ["user_report", ["feedback"]],
  ["feedback", ["feedback"]],
  ["profile", ["profile"]],
  ["profile_chunk", ["profile_chunk"]],
  ["profile_chunk_ui", ["profile_chunk_ui"]],
  ["replay_event", ["replay"]],
  ["replay_recording", ["replay"]],
  ["replay_video", ["replay"]],
  ["check_in", ["monitor"]],
  ["span", ["span"]],
  ["client_report", ["internal"]],
]);

/** Categories that a limit may name: any other is ignored. */
export const KNOWN_CATEGORIES: ReadonlySet<string> = new Set(["default", ...[...CATEGORIES_OF.values()].flat()]);

export function categoriesOf(item: EnvelopeItem): readonly string[] {
  const isUiProfile = item.type === "profile_chunk" && UI_PLATFORMS.has(item.header["platform"]);
  if (isUiProfile) return ["profile_chunk_ui"];
  return CATEGORIES_OF.get(item.type) ?? [];
}

// Relay decides by platform whether a profile chunk is billed as a UI profile.
const UI_PLATFORMS: ReadonlySet<unknown> = new Set(["cocoa", "android", "javascript"]);

/** Client reports in one envelope, as at the receiver. */
const CLIENT_REPORTS_MAX = 100;

/**
 * Per envelope, as at the receiver (Relay, `check_envelope_size_limits`), which refuses more with 413; so does the tunnel.
 * Relay counts an event and a transaction together; the SDKs' own tests send both, so that check is left to the receiver.
 */
const ITEMS_MAX: ReadonlyMap<string, number> = new Map([
  ["event", 1],
  ["transaction", 1],
  ["security", 1],
  ["raw_security", 1],
  ["feedback", 1],
  ["form_data", 1],
  ["replay_event", 1],
  ["replay_recording", 1],
  ["replay_video", 1],
  ["profile", 1],
  ["check_in", 1],
  ["statsd", 1],
  ["metric_buckets", 1],
  ["log", 1],
  ["trace_metric", 1],
  ["span container", 1],
  ["span", 25],
  ["attachment", 30],
  ["session", 100],
  ["client_report", CLIENT_REPORTS_MAX],
]);

export function hasTooManyItems(items: readonly EnvelopeItem[]): boolean {
  const counts = new Map<string, number>();
  for (const item of items) {
    const kind = countedKind(item);
    const count = (counts.get(kind) ?? 0) + 1;
    if (count > (ITEMS_MAX.get(kind) ?? Infinity)) return true;
    counts.set(kind, count);
  }
  return false;
}

/** Adding our own report must not exceed a limit for which the receiver would refuse the whole envelope. */
export function hasRoomForReport(items: readonly EnvelopeItem[]): boolean {
  return items.filter(({ type }) => type === "client_report").length < CLIENT_REPORTS_MAX;
}

function countedKind({ type, header }: EnvelopeItem): string {
  const contentType = header["content_type"];
  const isContainer = type === "span" && typeof contentType === "string" && contentType.startsWith(SPAN_CONTAINER);
  return isContainer ? "span container" : (COUNTED_AS.get(type) ?? type);
}

const SPAN_CONTAINER = "application/vnd.sentry.items.span";

/** Kinds of items that the receiver counts together with another kind. */
const COUNTED_AS: ReadonlyMap<string, string> = new Map([
  ["sessions", "session"],
  ["user_report", "attachment"],
  ["unreal_report", "attachment"],
  ["profile_chunk", "profile"],
  ["profile_chunk_ui", "profile"],
]);

export type Loss = { category: string; quantity: number };

/** What the receiver doesn't see when this item is dropped. A lost client report isn't counted: no reports about reports. */
export function lossesOf(item: EnvelopeItem, bytes: Uint8Array): readonly Loss[] {
  if (item.type === "client_report") return [];
  const [category = "default"] = categoriesOf(item);
  if (item.type === "transaction") {
    // The transaction is itself a span, hence n + 1 (protocol, client reports).
    return [
      { category, quantity: 1 },
      { category: "span", quantity: 1 + spanCount(item, bytes) },
    ];
  }
  const losses = [{ category, quantity: containedCount(item) }];
  const byteCategory = BYTES_OF.get(item.type);
  if (byteCategory !== undefined) losses.push({ category: byteCategory, quantity: countedBytes(item) });
  return losses;
}

/** Item types that the receiver counts in bytes as well (Relay, `Item::quantities`; metrics since 26.4). */
const BYTES_OF: ReadonlyMap<string, string> = new Map([
  ["attachment", "attachment"],
  ["log", "log_byte"],
  ["trace_metric", "trace_metric_byte"],
]);

/** As Relay counts (`attachment_body_size`): an empty payload is 1 byte, a placeholder has the size that it declares. */
function countedBytes({ type, header, payloadStart, end }: EnvelopeItem): number {
  const bytes = end - payloadStart;
  const contentType = type === "attachment" ? header["content_type"] : null;
  if (contentType === ATTACHMENT_PLACEHOLDER) {
    return Math.min(headerNumber(header, "attachment_length") || 1, CLAIMED_BYTES_MAX);
  }
  if (contentType === TRACE_ATTACHMENT) return Math.max(1, bytes - headerNumber(header, "meta_length"));
  return Math.max(1, bytes);
}

/** The attachment itself was uploaded separately. */
const ATTACHMENT_PLACEHOLDER = "application/vnd.sentry.attachment-ref+json";
/** Its payload starts with `meta_length` bytes of metadata, which don't count. */
const TRACE_ATTACHMENT = "application/vnd.sentry.trace-attachment";

/** The receiver's limit for one attachment (Relay, `max_attachment_size`), so that a forged number can't distort the totals. */
const CLAIMED_BYTES_MAX = 200 * 1024 * 1024;

function headerNumber(header: EnvelopeItem["header"], name: string): number {
  const value = header[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

export function allLosses(items: readonly EnvelopeItem[], bytes: Uint8Array): readonly Loss[] {
  return items.flatMap((item) => lossesOf(item, bytes));
}

/** The maximum entries in a container; one forged number would outweigh all honest ones. */
const CONTAINED_MAX = 10_000;

function containedCount({ header }: EnvelopeItem): number {
  return Math.min(headerNumber(header, "item_count") || 1, CONTAINED_MAX);
}

/** The receiver refuses larger ones (Relay, `max_event_size`); parsed from JSON, they could exhaust the memory. */
const READABLE_TRANSACTION_BYTES_MAX = 1024 * 1024;

function spanCount(item: EnvelopeItem, bytes: Uint8Array): number {
  if (item.end - item.payloadStart > READABLE_TRANSACTION_BYTES_MAX) return 0;
  try {
    const payload: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(item.payloadStart, item.end)));
    const isObject = typeof payload === "object" && payload !== null && "spans" in payload;
    return isObject && Array.isArray(payload.spans) ? payload.spans.length : 0;
  } catch {
    return 0;
  }
}
