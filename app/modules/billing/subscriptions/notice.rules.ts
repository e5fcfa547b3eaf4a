/**
 * Decides when a renewed yearly plan ends if it is cancelled (§ 309 Nr. 9 BGB): with `month-notice`, at most a month later. Invariants: the
 * first term is never cut short, and nobody has to wait longer than for the end of the period. The month is counted from the declaration, also
 * if it is carried out later. Called from the pages and commands that cancel; what is left of the year is refunded by the rules about contracts.
 */
import { minuteMs, secondMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { endOfPeriod } from "./periods.rules.ts";
import type { Subscription } from "./rules.ts";

type Running = Pick<Subscription, "interval" | "periodEndsAt">;

type Notice = {
  /** The end of the newest period by which the plan was renewed (`findRenewedUntil`). Null if it wasn't. */
  renewedUntil: number | null;
  /** When it is wanted to end at the earliest. */
  wantedAt?: number | null;
  /** When it was declared, if that isn't now. */
  declaredAt?: number;
  now: number;
};

/** When a plan ends that is cancelled now. Null if it ends with its period: it isn't renewed, not yearly, or hardly any of it is left. */
export function noticeEndsAt(
  { interval, periodEndsAt }: Running,
  { afterFirstTerm }: Pick<ProductConfig, "afterFirstTerm">,
  { renewedUntil, wantedAt, declaredAt, now }: Notice,
): number | null {
  if (afterFirstTerm !== "month-notice" || interval !== "year" || renewedUntil !== periodEndsAt) return null;
  // Stripe counts in whole seconds; rounded down, since a month is the longest that a contract may ask for.
  const due = Math.max(endOfPeriod(declaredAt ?? now, "month"), wantedAt ?? 0);
  // One that is overdue ends as soon as Stripe accepts, which takes no time that is over.
  const end = Math.floor(Math.max(due, now + minuteMs) / secondMs) * secondMs;
  return end < periodEndsAt ? end : null;
}

/** When a plan ends that is cancelled now. */
export function cancelledEndsAt(
  running: Running,
  product: Pick<ProductConfig, "afterFirstTerm">,
  notice: Notice,
): number {
  return noticeEndsAt(running, product, notice) ?? running.periodEndsAt;
}
