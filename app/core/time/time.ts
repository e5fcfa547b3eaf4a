import { dateFormat } from "../text/formats.ts";

/** Instants are milliseconds since 1970 UTC; spans are milliseconds. Both are plain integers, named `…At` and `…Ms`. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The same day and time so many months later, in UTC; of a day that the month lacks, some days into the next one. */
export function monthsLater(at: number, months: number): number {
  const then = new Date(at);
  return then.setUTCMonth(then.getUTCMonth() + months);
}

/** Whole seconds from `now` until `at`, rounded up and never negative: what a Retry-After header carries. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / secondMs));
}

/** How somebody writes dates and times, and where they are. */
export type Reader = { locale: string; timeZone: string };

/** "20 November 2026". */
export function formatDay(at: number, { locale, timeZone }: Reader): string {
  return dateFormat(locale, { dateStyle: "long", timeZone }).format(at);
}

/** "November 2026". */
export function formatMonth(at: number, { locale, timeZone }: Reader): string {
  return dateFormat(locale, { month: "long", year: "numeric", timeZone }).format(at);
}

/**
 * "20 November 2026, 14:30". The comma is ours: what a locale puts there ("um", "à", "at") is a word, and the sentence around it
 * may be in another language. The time stays on one line.
 */
export function formatMoment(at: number, { locale, timeZone }: Reader): string {
  const time = dateFormat(locale, { timeStyle: "short", timeZone }).format(at).replaceAll(/\s/g, "\u00a0");
  return `${formatDay(at, { locale, timeZone })}, ${time}`;
}

/** With the day of the week, the second and the zone. */
export function formatExactly(at: number, { locale, timeZone }: Reader): string {
  const day = dateFormat(locale, { dateStyle: "full", timeZone }).format(at);
  const time = dateFormat(locale, { timeStyle: "long", timeZone }).format(at);
  return `${day}, ${time}`;
}

/** A copy for people's eyes: what is named as an instant (`…At`, `…Until`, `…Since`) is written as ISO 8601 in UTC. */
export function spellInstants(value: unknown, name = ""): unknown {
  if (typeof value === "number" && /(At|Until|Since)$/.test(name)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((part) => spellInstants(part));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spellInstants(part, key)]));
}
