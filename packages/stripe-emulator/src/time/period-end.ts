import type Stripe from "stripe";

type Recurrence = Pick<Stripe.Price.Recurring, "interval" | "interval_count">;

const SECONDS_PER_DAY = 86_400;
const DAYS: Record<string, number> = { day: 1, week: 7 };
const MONTHS: Record<string, number> = { month: 1, year: 12 };

/**
 * The end of the billing period that begins at `start`. Counted from the anchor, never from the last end: an anchor on
 * 31 January gives 28 February, then 31 March again.
 */
export function periodEnd(anchor: number, start: number, recurrence: Recurrence): number {
  for (let count = 1; ; count += 1) {
    const end = afterIntervals(anchor, count, recurrence);
    if (end > start) return end;
  }
}

function afterIntervals(anchor: number, count: number, { interval, interval_count }: Recurrence): number {
  const days = DAYS[interval];
  if (days !== undefined) return anchor + days * interval_count * count * SECONDS_PER_DAY;
  return addMonths(anchor, (MONTHS[interval] ?? 1) * interval_count * count);
}

function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, daysInMonth(date)));
  return Math.floor(date.getTime() / 1000);
}

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
