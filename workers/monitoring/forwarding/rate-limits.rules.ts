/**
 * Back-off per category: what a receiver's response forbids, until when, and what the browser is sent. Sources: the
 * protocol's rate limiting page and the cases in tests/vectors. Deadlines are epoch milliseconds; the longest wins.
 */
import { secondsUntil } from "../deadline.ts";
import { DEFAULT_BACKOFF_MS } from "../constants.ts";
import { KNOWN_CATEGORIES } from "../envelopes/items.rules.ts";

/** Category, or "all", to the time when its limit ends. */
export type RateLimits = ReadonlyMap<string, number>;

export const NO_LIMITS: RateLimits = new Map();

/** The three facts of an upstream answer that matter here. */
export type LimitSignal = { status: number; rateLimits: string | null; retryAfter: string | null };

export function learnLimits(limits: RateLimits, signal: LimitSignal, now: number): RateLimits {
  const learnt = new Map(limits);
  for (const { category, delayMs } of spokenLimits(signal, now)) {
    learnt.set(category, Math.max(learnt.get(category) ?? 0, now + delayMs));
  }
  return learnt;
}

/** When the last limit on these categories ends; 0 if there is none. "all" applies in addition to the categories. */
export function limitedUntil(limits: RateLimits, categories: readonly string[]): number {
  return Math.max(limits.get("all") ?? 0, ...categories.map((category) => limits.get(category) ?? 0));
}

export function isLimited(limits: RateLimits, categories: readonly string[], now: number): boolean {
  return limitedUntil(limits, categories) > now;
}

/**
 * The limits in force, in the format of X-Sentry-Rate-Limits; null if there are none. Every known category is sent with its actual
 * end, since the browser SDK lets a shorter category limit hide a longer one on "all".
 */
export function formatLimits(limits: RateLimits, now: number): string | null {
  const groups = new Map<number, string[]>();
  for (const category of limits.keys()) {
    const seconds = secondsUntil(limitedUntil(limits, [category]), now);
    if (seconds > 0) groups.set(seconds, [...(groups.get(seconds) ?? []), category]);
  }
  const texts: string[] = [];
  for (const [seconds, categories] of groups) {
    // The header expresses "all" as an empty list of categories.
    if (categories.includes("all")) texts.push(`${seconds}::organization`);
    const named = categories.filter((category) => category !== "all");
    if (named.length > 0) texts.push(`${seconds}:${named.join(";")}:organization`);
  }
  return texts.length > 0 ? texts.join(", ") : null;
}

/** Whole seconds or an HTTP date; any other or unreasonable value is treated as missing. */
export function parseRetryAfterMs(value: string, now: number): number {
  const text = value.trim();
  // Not Date.parse alone, which finds a date in "a 1".
  const at = HTTP_DATE.test(text) ? Date.parse(text) - now : NaN;
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : at;
  const isSensible = delayMs <= SENSIBLE_SECONDS_MAX * 1000;
  return isSensible ? Math.max(0, delayMs) : DEFAULT_BACKOFF_MS;
}

/** The format that all servers send (RFC 9110, IMF-fixdate); the two obsolete ones aren't parsed. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

type SpokenLimit = { category: string; delayMs: number };

function spokenLimits(signal: LimitSignal, now: number): readonly SpokenLimit[] {
  const { status, rateLimits, retryAfter } = signal;
  if (rateLimits !== null && rateLimits.trim() !== "") return rateLimits.split(",").flatMap(parseGroup);
  if (status !== 429) return [];
  const delayMs = retryAfter === null ? DEFAULT_BACKOFF_MS : parseRetryAfterMs(retryAfter, now);
  return [{ category: "all", delayMs }];
}

/** seconds ":" categories ":" scope ":" reason ":" namespaces; spaces around each part are ignored. */
function parseGroup(group: string): readonly SpokenLimit[] {
  const [seconds = "", categories = "", , , namespaces = ""] = group.split(":").map((part) => part.trim());
  const delay = parseSeconds(seconds);
  if (delay === null) return [];
  const delayMs = delay * 1000;
  if (categories === "") return [{ category: "all", delayMs }];
  return trimmedParts(categories)
    .filter((category) => KNOWN_CATEGORIES.has(category))
    .filter((category) => category !== "metric_bucket" || isOwnNamespace(namespaces))
    .map((category) => ({ category, delayMs }));
}

/** Limits on metrics may name single namespaces; ours, like any SDK's, are "custom". */
function isOwnNamespace(namespaces: string): boolean {
  return namespaces === "" || trimmedParts(namespaces).includes("custom");
}

function trimmedParts(list: string): string[] {
  return list.split(";").map((part) => part.trim());
}

/** Null where there is no number: such a group is skipped. Fractions are rounded up. */
function parseSeconds(text: string): number | null {
  if (/^[+-]?(inf|infinity|nan)$/i.test(text)) return 0;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return null;
  return sanitiseSeconds(Math.ceil(Number(text)));
}

/** Beyond 292 years (64 bits of nanoseconds) a number isn't a valid duration: it limits nothing. */
const SENSIBLE_SECONDS_MAX = 9_223_372_036;

function sanitiseSeconds(seconds: number): number {
  return seconds > SENSIBLE_SECONDS_MAX ? 0 : Math.max(0, seconds);
}
