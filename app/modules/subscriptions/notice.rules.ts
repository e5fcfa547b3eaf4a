/**
 * Decides when a renewed yearly plan ends if it is cancelled (§ 309 Nr. 9 BGB): with `month-notice`, at most a month later. Invariants: the
 * first term is never cut short, and nobody has to wait longer than for the end of the period. Called from the pages and commands that cancel;
 * what is left of the year is refunded by the rules about contracts.
 */
import { secondMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { endOfPeriod } from "./periods.rules.ts";
import type { Subscription } from "./rules.ts";

type Running = Pick<Subscription, "interval" | "periodEndsAt">;

type Notice = {
  /** The end of the newest period that a renewal paid for. Null if nothing was renewed. */
  renewedUntil: number | null;
  /** When it is wanted to end at the earliest. */
  wantedAt?: number | null;
  now: number;
};

/** When a plan ends that is cancelled now. Null if it ends with its period: it isn't renewed, not yearly, or hardly any of it is left. */
export function noticeEndsAt(
  { interval, periodEndsAt }: Running,
  { afterFirstTerm }: Pick<ProductConfig, "afterFirstTerm">,
  { renewedUntil, wantedAt, now }: Notice,
): number | null {
  if (afterFirstTerm !== "month-notice" || interval !== "year" || renewedUntil !== periodEndsAt) return null;
  // Stripe counts in whole seconds; rounded down, since a month is the longest that a contract may ask for.
  const end = Math.floor(Math.max(endOfPeriod(now, "month"), wantedAt ?? 0) / secondMs) * secondMs;
  return end < periodEndsAt ? end : null;
}
