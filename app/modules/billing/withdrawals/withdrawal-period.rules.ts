/**
 * Decides until when an order can be withdrawn from. Invariant: pages and emails name a day, and the period lasts to the end of that day for
 * the seller and for the customer, also if the customer's time zone is changed afterwards. Called from the pages and emails that mention the
 * right, and from the rules about contracts.
 */
import type { OrderId } from "#app/core/id.ts";
import { type Day, dayOf, spellDay, startOfDay } from "#app/core/time/calendar.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { MarkedOrder, Order } from "#app/modules/billing/orders/rules.ts";
import { isMoneyGone } from "#app/modules/billing/orders/states.rules.ts";

/** The seller's time zone, and how many days the config gives. */
type Seller = { withdrawalDays: number | "off"; timeZone: string };

/** `lastDay` is what pages and emails name; `until` is the first instant after it, where it ends last. */
type WithdrawalEnd = { lastDay: Day; until: number };

type Paid = Pick<Order, "kind" | "paidAt" | "buyerTimeZone">;

/**
 * Until when an order can be withdrawn from without giving a reason: the end of the last day, not counting the day of the contract
 * (Regulation 1182/71). The day of the contract is the later one of the seller's and the customer's calendar then. The last day ends where
 * it ends last: for the seller, for the customer then, or in one of `zones`, the customer's since. Null if it can't be withdrawn from: a
 * renewal continues a contract and begins none.
 */
export function withdrawalEnd(
  { kind, paidAt, buyerTimeZone }: Paid,
  { withdrawalDays, timeZone }: Seller,
  zones: readonly string[],
): WithdrawalEnd | null {
  if (withdrawalDays === "off" || paidAt === null || kind === "renewal") return null;
  const zonesThen = buyerTimeZone === null ? [timeZone] : [timeZone, buyerTimeZone];
  const paidOn = zonesThen.map((zone) => dayOf(paidAt, zone)).reduce(laterDay);
  const lastDay = daysLater(paidOn, withdrawalDays);
  const ends = [...new Set([...zonesThen, ...zones])].map((zone) => startOfDay(daysLater(lastDay, 1), zone));
  return { lastDay, until: Math.max(...ends) };
}

/** Every order that can still be withdrawn from was paid after this time. */
export function earliestWithdrawable({ withdrawalDays }: Pick<Seller, "withdrawalDays">, now: number): number {
  // Three more days: for the day of the payment, for the 26 hours by which it may end later elsewhere, and for changes of the clocks.
  return now - ((withdrawalDays === "off" ? 0 : withdrawalDays) + 3) * dayMs;
}

type Withdrawable = Paid & Parameters<typeof isMoneyGone>[0] & Pick<MarkedOrder, "id">;

/** The withdrawal that is still possible. Null if the money went back, or it is too late. */
export function openWithdrawal(
  order: Omit<Withdrawable, "id">,
  seller: Seller,
  { timeZone, now }: { timeZone: string; now: number },
): WithdrawalEnd | null {
  const end = isMoneyGone(order) ? null : withdrawalEnd(order, seller, [timeZone]);
  return end !== null && now < end.until ? end : null;
}

/** Of these orders, the one that can be withdrawn from the longest, and until when. `timeZone` is the account's now. */
export function longestWithdrawal(
  orders: readonly (Withdrawable & { timeZone: string })[],
  seller: Seller,
  now: number,
): (WithdrawalEnd & { orderId: OrderId }) | null {
  const open = orders.flatMap((order) => {
    const end = openWithdrawal(order, seller, { timeZone: order.timeZone, now });
    return end ? [{ orderId: order.id, ...end }] : [];
  });
  return open.toSorted((left, right) => right.until - left.until)[0] ?? null;
}

function daysLater({ year, month, day }: Day, days: number): Day {
  return dayOf(Date.UTC(year, month - 1, day + days), "UTC");
}

function laterDay(left: Day, right: Day): Day {
  return spellDay(left) < spellDay(right) ? right : left;
}
