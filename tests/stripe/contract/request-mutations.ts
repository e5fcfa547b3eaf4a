import type { Chance } from "./mutations.ts";
import type { Call } from "./recording.ts";

type Pair = [name: string, value: string];
type Change = (pairs: Pair[], chance: Chance) => Pair[] | null;

/** What can be wrong with the parameters of a request; null if these offer no place for it. */
const ofParams: Record<string, Change> = {
  "an unknown parameter": (pairs) => [...pairs, ["made_up", "1"]],
  "an unknown parameter inside": (pairs, chance) => {
    const inner = chance.pick(pairs.filter(([name]) => /\]\[\w+\]$/.test(name) && !name.includes("metadata")));
    return inner === undefined ? null : [...pairs, [inner[0].replace(/\[\w+\]$/, "[made_up]"), "1"]];
  },
  "a text for a number": replacing(
    /(?:^|\[)(?:limit|quantity|unit_amount|amount|proration_date|percent_off)\]?$/,
    "many",
  ),
  "a text for a boolean": replacing(/(?:^|\[)(?:enabled|cancel_at_period_end|auto_advance|active)\]?$/, "yes"),
  "a value that the enum hasn't": replacing(
    /(?:^|\[)(?:mode|proration_behavior|interval|tax_behavior|payment_behavior|duration|status|reason)\]?$/,
    "made_up",
  ),
  "a hash for a text": (pairs, chance) => {
    const [name] =
      chance.pick(pairs.filter(([own]) => /^(?:customer|price|currency|email|name|product)$/.test(own))) ?? [];
    return name === undefined ? null : pairs.map(([own, value]) => [own === name ? `${own}[id]` : own, value]);
  },
  "a list without its indices": (pairs) =>
    pairs.some(([name]) => /^(?:items|line_items|phases)\[0\]/.test(name))
      ? pairs.map(([name, value]) => [name.replace(/^(items|line_items|phases)\[\d\]/, "$1"), value])
      : null,
  "a required parameter is missing": (pairs, chance) => {
    const name = chance.pick(pairs.filter(([own]) => /^(?:line_items\[0\]\[price\]|enabled_events\[0\])$/.test(own)));
    const required = pairs.some(([own]) => own.startsWith("recurring[interval]")) ? "recurring[interval]" : null;
    if (required !== null)
      return pairs.filter(([own]) => own !== required).concat([["recurring[interval_count]", "1"]]);
    return name === undefined || !name[0].startsWith("enabled")
      ? null
      : pairs.filter(([own]) => !own.startsWith("enabled"));
  },
};

function replacing(names: RegExp, value: string): Change {
  return (pairs, chance) => {
    const found = chance.pick(pairs.filter(([name]) => names.test(name) && !name.includes("metadata")));
    return found === undefined ? null : pairs.map((pair) => (pair === found ? [pair[0], value] : pair));
  };
}

const withHeader = (call: Call, name: string, value: string | undefined): Call => {
  const { [name]: _, ...others } = call.requestHeaders;
  return { ...call, requestHeaders: value === undefined ? others : { ...others, [name]: value } };
};

/** What can be wrong with the rest of a request. */
const ofCalls: Record<string, (call: Call) => Call | null> = {
  "an older API version": (call) => withHeader(call, "stripe-version", "2024-06-20"),
  "no API version": (call) => withHeader(call, "stripe-version", undefined),
  "an endpoint that isn't there": (call) => ({ ...call, path: `${call.path}/made_up/made_up` }),
  "another method": (call) => ({ ...call, method: "PUT" }),
  "parameters in the query of a POST": (call) => (call.method === "POST" ? { ...call, query: "limit=1" } : null),
  "an idempotency key that is too long": (call) => withHeader(call, "idempotency-key", "k".repeat(256)),
};

/** Every fault of a request by its name. */
export const requestFaults: Record<string, (call: Call, chance: Chance) => Call | null> = {
  ...ofCalls,
  ...Object.fromEntries(
    Object.entries(ofParams).map(([name, change]) => [
      name,
      (call: Call, chance: Chance) => {
        const field = call.method === "POST" ? "body" : "query";
        const changed = change([...new URLSearchParams(call[field])], chance);
        return changed === null ? null : { ...call, [field]: new URLSearchParams(changed).toString() };
      },
    ]),
  ),
};
