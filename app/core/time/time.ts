import { dateFormat, numberFormat } from "../text/formats.ts";

/** Instants are milliseconds since 1970 UTC; spans are milliseconds. Both are plain integers, named `…At` and `…Ms`. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The same day and time that many months later, in UTC; a day that the month lacks overflows into the next month. */
export function monthsLater(at: number, months: number): number {
  const then = new Date(at);
  return then.setUTCMonth(then.getUTCMonth() + months);
}

/** Whole seconds from `now` until `at`, rounded up and never negative: the value of a Retry-After header. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / secondMs));
}

/** "7 days", "10 minutes": a span in the largest unit that needs no fraction, for a sentence that states a limit. */
export function formatSpan(ms: number, language = "en"): string {
  const [unit, unitMs] = spanUnits.find(([, each]) => ms >= each && ms % each === 0) ?? (["second", secondMs] as const);
  return numberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(ms / unitMs);
}

const spanUnits = [
  ["day", dayMs],
  ["hour", hourMs],
  ["minute", minuteMs],
] as const;

/** A user's date format and time zone. */
export type Reader = { locale: string; timeZone: string };

/** What a page needs of an account to write dates and amounts: the browser isn't sent the rest. */
export function readerOf({ locale, timeZone }: Reader): Reader {
  return { locale, timeZone };
}

/**
 * "20 November 2026", or "2026-11-20" in Canadian English, which is the third date format that users can choose. A line doesn't break
 * between day and month.
 */
export function formatDay(at: number, { locale, timeZone }: Reader): string {
  const day = dateFormat(locale, { dateStyle: locale === isoLocale ? "short" : "long", timeZone }).format(at);
  return day.replace(/\s/, "\u00a0");
}

/** "20 Nov 2026": in tables, where it doesn't wrap. */
export function formatShortDay(at: number, { locale, timeZone }: Reader): string {
  const day = dateFormat(locale, { dateStyle: locale === isoLocale ? "short" : "medium", timeZone }).format(at);
  return day.replaceAll(/\s/g, "\u00a0");
}

/** The locale with English words and dates in ISO 8601. */
const isoLocale = "en-CA";

/** "November 2026". */
export function formatMonth(at: number, { locale, timeZone }: Reader): string {
  return dateFormat(locale, { month: "long", year: "numeric", timeZone }).format(at);
}

/**
 * "20 November 2026, 14:30". The comma is fixed: a locale's own joiner ("um", "à", "at") is a word, and the sentence around it may be in
 * another language. The time doesn't wrap.
 */
export function formatMoment(at: number, reader: Reader): string {
  return `${formatDay(at, reader)}, ${formatTime(at, reader)}`;
}

/** "20 Nov 2026, 14:30": in tables, where it doesn't wrap. */
export function formatShortMoment(at: number, reader: Reader): string {
  return `${formatShortDay(at, reader)},\u00a0${formatTime(at, reader)}`;
}

function formatTime(at: number, { locale, timeZone }: Reader): string {
  const hours = locale === isoLocale ? ({ hourCycle: "h23" } as const) : {};
  return dateFormat(locale, { timeStyle: "short", timeZone, ...hours })
    .format(at)
    .replaceAll(/\s/g, "\u00a0");
}

/** With seconds and time zone, and with the weekday where the date isn't ISO. */
export function formatExactly(at: number, { locale, timeZone }: Reader): string {
  const isIso = locale === isoLocale;
  const day = dateFormat(locale, { dateStyle: isIso ? "short" : "full", timeZone }).format(at);
  const time = dateFormat(locale, { timeStyle: "long", timeZone, ...(isIso && { hourCycle: "h23" }) }).format(at);
  return `${day}, ${time}`;
}

/** A readable copy: numbers in instant fields (`…At`, `…Until`, `…Since`) are formatted as ISO 8601 in UTC. */
export function spellInstants(value: unknown, name = ""): unknown {
  if (typeof value === "number" && /(At|Until|Since)$/.test(name)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((part) => spellInstants(part));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spellInstants(part, key)]));
}
