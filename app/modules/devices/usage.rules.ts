/**
 * What devices report of the product's meters. Reports come late, twice and in any order: which one counts is told by the time that
 * each carries. A last value is the newest of a device, and those of all devices add up; a maximum is the most of a calendar month.
 */
import * as v from "valibot";
import { dayOf, spellDay } from "#app/core/time/calendar.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";

/** The owner is warned at this share of a limit, and again at all of it. */
export const highShare = 0.8;
/** A petabyte: more is a mistake, and sums stay exact. */
export const usageValueMax = 1e15;
/** How far ahead a device's clock may be. */
export const clockAheadMs = 5 * minuteMs;
/** How long maxima of past months are stored. */
export const usageKeptMs = 92 * dayMs;
/** The beginning of 2001, in milliseconds: less is in seconds, or from a clock that was never set. */
const reportedAtMin = 978_307_200_000;

/** As the config has it. */
type Meter = { key: string; kind: "last" | "maximum"; limit: string };

/** `2026-11`, on the seller's calendar: what a maximum counts in, and how often warnings are repeated. */
export function monthOf(at: number, timeZone: string): string {
  return spellDay(dayOf(at, timeZone)).slice(0, 7);
}

export type UsageValue = { meter: string; part: string; value: number; reportedAt: number };

/** What a meter shows of its values, and when the newest of them was reported; null: nothing was. */
export function readMeter({ key, kind }: Meter, values: readonly UsageValue[], month: string) {
  const own = values.filter(({ meter, part }) => meter === key && (part === month) === (kind === "maximum"));
  if (own.length === 0) return null;
  return {
    value: own.reduce((sum, { value }) => sum + value, 0),
    reportedAt: Math.max(...own.map(({ reportedAt }) => reportedAt)),
  };
}

/** Every meter as pages show it, against what a plan holds. */
export function readMeters<Of extends Meter>(
  meters: readonly Of[],
  limits: { readonly [limit: string]: number },
  values: readonly UsageValue[],
  month: string,
) {
  return meters.map((meter) => ({
    ...meter,
    limit: limits[meter.limit] ?? 0,
    /** Null: nothing reported. */
    used: readMeter(meter, values, month),
  }));
}

/** Of what is used, what a plan with these limits doesn't hold. */
export function exceeding<Of extends Meter>(
  meters: readonly Of[],
  limits: { readonly [limit: string]: number },
  values: readonly UsageValue[],
  month: string,
) {
  return readMeters(meters, limits, values, month).flatMap(({ used, ...meter }) =>
    used !== null && used.value > meter.limit ? [{ ...meter, usedNow: used.value }] : [],
  );
}

export type Warning = "high" | "full";

/** All that the plan holds. Whoever uses nothing is at no limit, be it none at all. */
export function isUsedUp(value: number, limit: number): boolean {
  return value > 0 && value >= limit;
}

/** Which warning is due; whoever was told that all is used isn't told of less in the same month. */
export function dueWarning(value: number, limit: number, told: readonly Warning[]): Warning | null {
  if (value === 0 || told.includes("full")) return null;
  if (isUsedUp(value, limit)) return "full";
  return value >= highShare * limit && !told.includes("high") ? "high" : null;
}

/** A device sends its meters as the config names them; its clock either as text (ISO 8601, with its zone) or in milliseconds. */
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

/** Of a text that looks like a moment. Not a number where there is no such day: else the 31st of February is the 3rd of March. */
function readInstant(text: string): number {
  const day = text.slice(0, "2026-02-31".length);
  const isThere = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return isThere ? Date.parse(text) : Number.NaN;
}
