import type { Exchange } from "./target.ts";

/**
 * A step as it is compared and committed: ids are names, times are hours since its clock began, amounts are
 * unchanged.
 */
export type Recording = {
  step: string;
  calls: { call: string; status: number; answer: unknown }[];
  facts: unknown;
  events: Record<string, number>;
};

type Context = { beganAt: number; nonce: string; names: Map<string, string>; counts: Map<string, number> };

export const newContext = (beganAt: number, nonce: string): Context => ({
  beganAt,
  nonce,
  names: new Map(),
  counts: new Map(),
});

/** Calls that were made in parallel have no order of their own: they are sorted by name. */
export function inOrder(exchanges: Exchange[]): Exchange[] {
  const batches: { until: number; calls: Exchange[] }[] = [];
  for (const call of exchanges.toSorted((one, other) => one.startedAt - other.startedAt)) {
    const batch = batches.at(-1);
    if (batch === undefined || call.startedAt > batch.until) batches.push({ until: call.endedAt, calls: [call] });
    else {
      batch.calls.push(call);
      batch.until = Math.max(batch.until, call.endedAt);
    }
  }
  const nameOf = ({ method, path }: Exchange) => `${method} ${template(path)}`;
  return batches.flatMap(({ calls }) => calls.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other))));
}

export function normaliseCall(context: Context, { method, path, status, answer }: Exchange) {
  return { call: `${method} ${template(path)}`, status, answer: normalise(context, answer) };
}

/** A prefix and random characters: words of the API (`card_declined`) have neither digits nor capitals. */
const idPattern = /\b([a-z]{2,10}(?:_[a-z]{2,8}){0,2})_(?=[a-z]*[0-9A-Z])[A-Za-z0-9]{8,}/g;
const template = (path: string): string => path.replaceAll(idPattern, "{id}").replaceAll(/pm_card_\w+/g, "{id}");

/** Their values are random or the account's own, so that only their presence is compared. */
const opaque =
  /^(?:client_secret|secret|fingerprint|invoice_prefix|number|receipt_number|request_log_url|idempotency_key|authorization_code|network_transaction_id|next_invoice_sequence|exp_month|exp_year|seller_message|risk_score|deletes_after)$/;

export function normalise(context: Context, value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => normalise(context, item, key));
  if (typeof value === "object" && value !== null) {
    const sorted = Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other));
    return Object.fromEntries(sorted.map(([name, inner]) => [name, normalise(context, inner, name)]));
  }
  if (typeof value === "number") return opaque.test(key) ? "<number>" : relativeTime(context, value);
  if (typeof value !== "string") return value;
  if (opaque.test(key)) return "<text>";
  if (/^https?:/.test(value)) return "<address>";
  return value
    .replaceAll(context.nonce, "<run>")
    .replaceAll(idPattern, (id, prefix: string) => nameOf(context, id, prefix))
    .replaceAll(/\b\d{1,2} [A-Z][a-z]{2} \d{4}\b/g, "<date>");
}

function nameOf({ names, counts }: Context, id: string, prefix: string): string {
  const known = names.get(id);
  if (known !== undefined) return known;
  const count = (counts.get(prefix) ?? 0) + 1;
  counts.set(prefix, count);
  names.set(id, `<${prefix} ${count}>`);
  return `<${prefix} ${count}>`;
}

/** To the hour: the emulator's clock runs during the script. */
function relativeTime({ beganAt }: Context, value: number): number | string {
  const seconds = value > 1e12 ? value / 1000 : value;
  const isTime = seconds > 1_000_000_000 && seconds < 10_000_000_000;
  // The account's real time, which a test clock doesn't move.
  if (isTime && Math.abs(seconds - Date.now() / 1000) < 86_400) return "<now>";
  return isTime ? `<start ${signed(Math.round((seconds - beganAt) / 3600))} h>` : value;
}

const signed = (hours: number): string => (hours < 0 ? `- ${-hours}` : `+ ${hours}`);
