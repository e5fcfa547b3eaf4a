/**
 * What an envelope item counts as: the data categories that rate limits speak of, how many of a kind one
 * envelope may hold, and what is lost when the item is dropped. Where SDKs and the receiver (Relay) map an
 * item differently, the receiver is right: it is its limits that we keep.
 */
import type { EnvelopeItem, JsonObject } from "./envelope.rules.ts";

/** Item type to the categories whose limit stops it, the counted one first. Types without one obey "all" only. */
const CATEGORIES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ["event", ["error"]],
  ["transaction", ["transaction"]],
  ["security", ["security"]],
  ["raw_security", ["security"]],
  ["unreal_report", ["error"]],
  ["attachment", ["attachment", "attachment_item"]],
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

/** What a limit may name: anything else is ignored. */
export const KNOWN_CATEGORIES: ReadonlySet<string> = new Set(["default", ...[...CATEGORIES_OF.values()].flat()]);

export function categoriesOf(item: EnvelopeItem): readonly string[] {
  const isUiProfile = item.type === "profile_chunk" && UI_PLATFORMS.has(String(item.header["platform"]));
  if (isUiProfile) return ["profile_chunk_ui"];
  return CATEGORIES_OF.get(item.type) ?? [];
}

// Relay decides by platform whether a profile chunk is billed as one of a user interface.
const UI_PLATFORMS: ReadonlySet<string> = new Set(["cocoa", "android", "javascript"]);

/** Per envelope, as the receiver has them (Relay, item counts): more is refused there with 413, so here too. */
const ITEMS_MAX: ReadonlyMap<string, number> = new Map([
  ["event", 1],
  ["replay_recording", 1],
  ["profile", 1],
  ["check_in", 1],
  ["log", 1],
  ["trace_metric", 1],
  ["span container", 1],
  ["span", 25],
  ["attachment", 30],
  ["session", 100],
  ["client_report", 100],
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

function countedKind({ type, header }: EnvelopeItem): string {
  if (type === "sessions") return "session";
  const isContainer = type === "span" && String(header["content_type"]).startsWith(SPAN_CONTAINER);
  return isContainer ? "span container" : type;
}

const SPAN_CONTAINER = "application/vnd.sentry.items.span";

export type Loss = { category: string; quantity: number };

/** What the receiver never hears of when this item is dropped. A lost client report is not counted: no reports about reports. */
export function lossesOf(item: EnvelopeItem, bytes: Uint8Array): readonly Loss[] {
  if (item.type === "client_report") return [];
  const [category = "default"] = categoriesOf(item);
  if (item.type === "transaction") {
    // The transaction is a span itself, hence n + 1 (protocol, client reports).
    return [
      { category, quantity: 1 },
      { category: "span", quantity: 1 + spanCount(item, bytes) },
    ];
  }
  const quantity = containedCount(item.header);
  if (item.type !== "log") return [{ category, quantity }];
  return [
    { category, quantity },
    { category: "log_byte", quantity: item.end - item.payloadStart },
  ];
}

function containedCount(header: JsonObject): number {
  const count = header["item_count"];
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : 1;
}

function spanCount(item: EnvelopeItem, bytes: Uint8Array): number {
  try {
    const payload: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(item.payloadStart, item.end)));
    const isObject = typeof payload === "object" && payload !== null && "spans" in payload;
    return isObject && Array.isArray(payload.spans) ? payload.spans.length : 0;
  } catch {
    return 0;
  }
}
