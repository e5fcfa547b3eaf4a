import { dayMs, formatDay, type Reader } from "./time.ts";
import { dateFormat } from "../text/formats.ts";

export type Day = { year: number; month: number; day: number };

export function dayOf(at: number, timeZone: string): Day {
  return readCalendar(timeZone)(at);
}

/** `2026-11-21`. */
export function spellDay({ year, month, day }: Day): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}

/** A day of the calendar, which is the same day in every time zone. */
export function formatCalendarDay({ year, month, day }: Day, { locale }: Pick<Reader, "locale">): string {
  return formatDay(Date.UTC(year, month - 1, day), { locale, timeZone: "UTC" });
}

/**
 * When a day starts in a time zone. Found by search, not arithmetic: midnight may not exist there (clocks go forward at it), nor the
 * whole day (a country crosses the date line); then it starts at the next existing instant. A `day` past the end of its month overflows
 * into the next one.
 */
export function startOfDay({ year, month, day }: Day, timeZone: string): number {
  const inUtc = Date.UTC(year, month - 1, day);
  const wanted = spellDay(dayOf(inUtc, "UTC"));
  const dayThere = readCalendar(timeZone);
  // The largest UTC offset of any time zone.
  let [before, after] = [inUtc - dayMs, inUtc + dayMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (spellDay(dayThere(middle)) < wanted) before = middle;
    else after = middle;
  }
  return after;
}

export function readCalendar(timeZone: string): (at: number) => Day {
  const fields = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const format = dateFormat("en-u-ca-gregory", { timeZone, ...fields });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return { year: parts.get("year") ?? 0, month: parts.get("month") ?? 0, day: parts.get("day") ?? 0 };
  };
}
