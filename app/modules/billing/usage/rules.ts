/**
 * Decides how reports of the product's meters count. Reports arrive late, twice and in any order, so the time in each report decides.
 * Invariants: a last value is a source's newest, and all sources are added up; a maximum is the highest of a calendar month. Called from
 * the product API and the settings.
 */
import * as v from "valibot";
import { dayOf, spellDay } from "#app/core/time/calendar.ts";
import type { Unit } from "#app/core/text/quantity.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";

/** The owner is warned at this share of a limit, and again at the limit. */
const highShare = 0.8;
/** A petabyte. More is a mistake, and up to this sums stay exact. */
const usageValueMax = 1e15;
/** How far ahead a reporter's clock may be. */
export const clockAheadMs = 5 * minuteMs;
/** How long maxima of past months are stored. */
export const usageRetentionMs = 92 * dayMs;
/** The beginning of 2001 in milliseconds. A smaller number is in seconds, or from a clock that was never set. */
const reportedAtMin = 978_307_200_000;

/** As in the config. */
type Meter = { key: string; kind: "last" | "maximum"; limit: string };

/** `2026-11` in the seller's time zone: the period of a maximum and of repeated warnings. */
export function usageMonthOf(at: number, timeZone: string): string {
  return spellDay(dayOf(at, timeZone)).slice(0, 7);
}

export type UsageValue = { meter: string; part: string; value: number; reportedAt: number };

/** A meter's total and when its newest value was reported. Null if nothing was. */
export function readMeter({ key, kind }: Meter, values: readonly UsageValue[], month: string) {
  const own = values.filter(({ meter, part }) => meter === key && (part === month) === (kind === "maximum"));
  if (own.length === 0) return null;
  return {
    value: own.reduce((sum, { value }) => sum + value, 0),
    reportedAt: Math.max(...own.map(({ reportedAt }) => reportedAt)),
  };
}

/** Every meter as pages show it, with the plan's limit. */
export function readMeters<Of extends Meter>(
  meters: readonly Of[],
  limits: { readonly [limit: string]: number },
  values: readonly UsageValue[],
  month: string,
) {
  return meters.map((meter) => {
    const { limit, ...rest } = meter;
    return {
      ...rest,
      limit: limits[limit] ?? 0,
      /** Null until something is reported. */
      used: readMeter(meter, values, month),
    };
  });
}

/** How many there are of what plans limit by number under this name, and when those beyond the plan are removed. */
export type Count = { name: string; used: number; reducedAt: number | null };

/** Something that is used beyond a limit: a meter with its label, or what is counted under this name. */
export type Excess = { label: string | null; name: string | null; unit: Unit; used: number; limit: number };

/** What is used beyond these limits, which may be another plan's: what is counted first, then each meter. */
export function excessOver<Of extends Meter & { label: string; unit: Unit }>(
  meters: readonly Of[],
  limits: Plan["limits"],
  usage: { counts: readonly Pick<Count, "name" | "used">[]; values: readonly UsageValue[]; month: string },
): Excess[] {
  const counted = usage.counts.map(({ name, used }) => ({
    label: null,
    name,
    unit: "count" as const,
    used,
    limit: limits[name] ?? 0,
  }));
  const metered = readMeters(meters, limits, usage.values, usage.month).map(({ label, unit, limit, used }) => ({
    label,
    name: null,
    unit,
    used: used?.value ?? 0,
    limit,
  }));
  return [...counted, ...metered].filter(({ used, limit }) => used > limit);
}

export type Warning = "high" | "full";

/** The limit is reached. Usage of 0 never reaches it, even if the limit is 0. */
export function isUsedUp(value: number, limit: number): boolean {
  return value > 0 && value >= limit;
}

/** The warning to send; after "all used" there is no lesser one in the same month. */
export function dueWarning(value: number, limit: number, warned: readonly Warning[]): Warning | null {
  if (value === 0 || warned.includes("full")) return null;
  if (isUsedUp(value, limit)) return "full";
  return value >= highShare * limit && !warned.includes("high") ? "high" : null;
}

/** Meters are sent by their config keys, the time as ISO 8601 text with a zone or in milliseconds. */
export function usageBody(meters: readonly { key: string; unit: string }[]) {
  return v.object({
    meter: v.picklist(
      meters.map(({ key }) => key),
      "meter-unknown",
    ),
    value: v.pipe(
      v.number("value-malformed"),
      v.integer("value-malformed"),
      v.minValue(0, "value-malformed"),
      v.maxValue(usageValueMax, "value-too-large"),
      v.description(`In the meter's unit (${meters.map(({ key, unit }) => `${key}: ${unit}`).join(", ")})`),
    ),
    at: v.pipe(
      v.union(
        [
          v.pipe(v.string(), v.isoTimestamp("at-malformed"), v.transform(readInstant)),
          v.pipe(v.number(), v.integer("at-malformed"), v.minValue(reportedAtMin, "at-malformed")),
        ],
        "at-malformed",
      ),
      v.minValue(reportedAtMin, "at-malformed"),
      v.description("When it was measured, with its zone or in milliseconds since 1970"),
    ),
  });
}

/** Parses text in the format of a time. NaN for a day that doesn't exist: `Date` would turn 31 February into 3 March. */
function readInstant(text: string): number {
  const day = text.slice(0, "2026-02-31".length);
  const isThere = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return isThere ? Date.parse(text) : Number.NaN;
}
