import { roundAmount } from "./currencies.ts";

export interface Period {
  start: number;
  end: number;
}

/** The part of a period's amount for the time from `at` to its end. Stripe counts seconds, not days. */
export function shareFrom(at: number, period: Period, amount: number, currency: string): number {
  const length = period.end - period.start;
  if (length <= 0) return 0;
  const left = Math.min(Math.max(period.end - at, 0), length);
  return roundAmount((amount * left) / length, currency);
}

/** Splits a total in proportion to the weights, exact to the last unit that can be charged. */
export function spread(total: number, weights: readonly number[], currency: string): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  let given = 0;
  return weights.map((weight) => {
    before += weight;
    const upToHere = whole === 0 ? 0 : roundAmount((total * before) / whole, currency);
    const part = upToHere - given;
    given = upToHere;
    return part;
  });
}

const FORMAT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** `15 Dec 2026`, as Stripe writes it on proration lines. */
export const dayOf = (seconds: number): string => FORMAT.format(seconds * 1000).replace("Sept", "Sep");
