/**
 * Decides until when an order can be withdrawn from. Invariant: the period is never shorter than promised, and ends with a day of the
 * seller's calendar. Called from the pages and emails that mention the right, and from the rules about contracts.
 */
import type { OrderId } from "#app/core/id.ts";
import { dayOf, startOfDay } from "#app/core/time/calendar.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/orders/rules.ts";

/**
 * Until when an order can be withdrawn from without giving a reason: the end of the last day, not counting the day of the contract
 * (Regulation 1182/71), in the seller's time zone. Null if it can't be: a renewal continues a contract and begins none.
 */
export function withdrawalEndsAt(
  { kind, paidAt }: Pick<Order, "kind" | "paidAt">,
  { withdrawalDays, timeZone }: { withdrawalDays: number | "off"; timeZone: string },
): number | null {
  if (withdrawalDays === "off" || paidAt === null || kind === "renewal") return null;
  const { day, ...month } = dayOf(paidAt, timeZone);
  return startOfDay({ ...month, day: day + withdrawalDays + 1 }, timeZone);
}

/** Every order that can still be withdrawn from was paid after this time. */
export function earliestWithdrawable({ withdrawalDays }: { withdrawalDays: number | "off" }, now: number): number {
  // Two more days, for the day of the payment and the hour by which a day is longer when the clocks go back.
  return now - ((withdrawalDays === "off" ? 0 : withdrawalDays) + 2) * dayMs;
}

type Withdrawable = Pick<Order, "id" | "kind" | "paidAt" | "state" | "dispute">;

/** The withdrawal that is still possible. Null if the money went back, or it is too late. */
export function openWithdrawal(
  order: Omit<Withdrawable, "id">,
  product: Parameters<typeof withdrawalEndsAt>[1],
  now: number,
): { until: number } | null {
  const isReturned = order.state === "refunded" || order.dispute === "lost";
  const until = isReturned ? null : withdrawalEndsAt(order, product);
  return until !== null && now < until ? { until } : null;
}

/** Of these orders, the one that can be withdrawn from the longest, and until when. */
export function longestWithdrawal(
  orders: readonly Withdrawable[],
  product: Parameters<typeof withdrawalEndsAt>[1],
  now: number,
): { orderId: OrderId; until: number } | null {
  const open = orders.flatMap((order) => {
    const withdrawal = openWithdrawal(order, product, now);
    return withdrawal ? [{ orderId: order.id, ...withdrawal }] : [];
  });
  return open.toSorted((left, right) => right.until - left.until)[0] ?? null;
}
