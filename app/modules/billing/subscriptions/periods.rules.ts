/** How long a paid period lasts, by Stripe's rules, to show it before the purchase. */
import type { Interval } from "#app/core/time/interval.ts";
import { dayMs, monthsLater } from "#app/core/time/time.ts";

const monthsIn: Record<Interval, number> = { month: 1, year: 12 };

/** When a period that starts at `at` ends, as Stripe counts: the same day of the month in UTC, or the month's last day. */
export function endOfPeriod(at: number, interval: Interval): number {
  const then = monthsLater(at, monthsIn[interval]);
  const isOver = new Date(then).getUTCDate() !== new Date(at).getUTCDate();
  return isOver ? then - new Date(then).getUTCDate() * dayMs : then;
}
