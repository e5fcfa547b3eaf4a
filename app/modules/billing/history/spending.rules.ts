/**
 * Spending per month: charges less what was refunded or banks took, in the month of payment. Months are those of the seller's calendar, as the years of the list
 * are. Called from the orders page.
 */
import { readCalendar } from "#app/core/time/calendar.ts";
import { dayMs } from "#app/core/time/time.ts";

/** Months in the chart above the orders, including this one. */
export const spendingMonths = 12;
/** The longest time this many months can take. */
export const spendingMs = 367 * dayMs;

/** A chart needs at least this many months with payments. */
const comparedMin = 3;
/** A chart needs payments that differ by this share of the highest one, since the same price every month says nothing. */
const differenceMin = 0.2;

/** Orders read for the chart: three a month, more than a plan and its changes need. */
export const recentOrdersMax = 40;

export type RecentOrder = {
  createdAt: number;
  paidAt: number | null;
  currency: string;
  amountMinor: number;
  refundedMinor: number;
  /** What banks took of it. */
  lostMinor: number;
};
export type MonthSpent = { year: number; month: number; amountMinor: number };
type Reading = { timeZone: string; currency: string; now: number };

/**
 * The last months up to this one, oldest first. Empty if they say no more than the list does, because they are too few or about the same.
 * `latest` is newest first. If its limit cut it off, only the months after its oldest order are complete.
 */
export function spendingByMonth(latest: RecentOrder[], { timeZone, currency, now }: Reading): MonthSpent[] {
  const dayThere = readCalendar(timeZone);
  const monthOf = (at: number) => {
    const { year, month } = dayThere(at);
    return year * 12 + month - 1;
  };
  const spent = new Map<number, number>();
  for (const order of latest) {
    if (order.paidAt === null || order.currency !== currency) continue;
    const month = monthOf(order.paidAt);
    spent.set(month, (spent.get(month) ?? 0) + Math.max(0, order.amountMinor - order.refundedMinor - order.lostMinor));
  }
  const newest = monthOf(now);
  const oldest = latest.length < recentOrdersMax ? 0 : monthOf(latest.at(-1)?.createdAt ?? now) + 1;
  const months = Array.from({ length: spendingMonths }, (_, index) => newest - spendingMonths + 1 + index)
    .filter((month) => month >= oldest)
    .map((month) => ({
      year: Math.floor(month / 12),
      month: (month % 12) + 1,
      amountMinor: spent.get(month) ?? 0,
    }));
  return isWorthAChart(months) ? months : [];
}

function isWorthAChart(months: MonthSpent[]): boolean {
  const paid = months.map(({ amountMinor }) => amountMinor).filter((amountMinor) => amountMinor > 0);
  const highest = Math.max(...paid);
  return paid.length >= comparedMin && highest - Math.min(...paid) >= differenceMin * highest;
}
