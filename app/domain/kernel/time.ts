/** Instants are milliseconds since 1970 UTC; spans are milliseconds. Both are plain integers, named `…At` and `…Ms`. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Whole seconds from `now` until `at`, rounded up and never negative: what a Retry-After header carries. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / secondMs));
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A day as its reader writes it, where they are: "21 November 2026". */
export function formatDay(at: number, reader: { locale: string; timeZone: string }): string {
  return new Intl.DateTimeFormat(reader.locale, { dateStyle: "long", timeZone: reader.timeZone }).format(at);
}

/** A copy for people's eyes: what is named as an instant (`…At`, `…Until`, `…Since`) is written as ISO 8601 in UTC. */
export function spellInstants(value: unknown, name = ""): unknown {
  if (typeof value === "number" && /(At|Until|Since)$/.test(name)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((part) => spellInstants(part));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spellInstants(part, key)]));
}
