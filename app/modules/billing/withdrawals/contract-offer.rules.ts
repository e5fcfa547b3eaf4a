/** What withdrawing from a contract would return, for the page of an order and for operators. */
import { sumMinor } from "#app/core/money/money.ts";
import type { OrderId } from "#app/core/id.ts";
import type { Day } from "#app/core/time/calendar.ts";
import { type ContractOrder, coveredBy, isReturned } from "./contract-orders.rules.ts";
import { withdrawalOwed } from "./contract.rules.ts";

export type WithdrawalOffer = {
  until: number;
  lastDay: Day;
  /** All orders of the contract, and what each returns. */
  orders: { id: OrderId; number: string | null; backMinor: number }[];
  totalMinor: number;
  /** Credit that is returned as credit. */
  creditMinor: number;
};

/**
 * The order that an operator refunds in full: the newest that has a refund. The site refunds the rest. An older order may be returned only
 * in part, so that refunding it in full would be too much. Null if only credit is returned.
 */
export function orderToRefund({ orders }: WithdrawalOffer): WithdrawalOffer["orders"][number] | null {
  return orders.findLast(({ backMinor }) => backMinor > 0) ?? null;
}

type Offered = ContractOrder<OrderId> & {
  number: string | null;
  state: string;
  lastDay: Day | null;
  creditReturnedMinor: number;
};

/** What a withdrawal declared now would cover. Null if nothing is left to withdraw from, or it is too late. */
export function offerWithdrawal(orders: readonly Offered[], now: number): WithdrawalOffer | null {
  const covered = coveredBy(orders, now);
  const owed = withdrawalOwed(orders, now);
  if (!owed) return null;
  const totalMinor = sumMinor(owed.money);
  const returnedOf = (orderId: OrderId) => orders.find(({ id }) => id === orderId)?.creditReturnedMinor ?? 0;
  const creditMinor = owed.credit.reduce(
    (sum, share) => sum + Math.max(0, share.amountMinor - returnedOf(share.id)),
    0,
  );
  // Once an order was refunded in full, something must be left to withdraw from. A contract that cost nothing can be withdrawn from, too.
  const isUndone = orders.some((order) => order.state === "refunded" || isReturned(order));
  if (isUndone && totalMinor === 0 && creditMinor === 0) return null;
  // After that, a withdrawal would cover less.
  // A renewal that is covered has no period of its own.
  const ends = covered.flatMap(({ withdrawUntil: until, lastDay }) => (until && lastDay ? [{ until, lastDay }] : []));
  const [first] = ends.toSorted((left, right) => left.until - right.until);
  if (!first) return null;
  const backOf = (orderId: OrderId) => owed.money.find(({ id }) => id === orderId)?.amountMinor ?? 0;
  return {
    ...first,
    orders: orders.map(({ id, number }) => ({ id, number, backMinor: backOf(id) })),
    totalMinor,
    creditMinor,
  };
}
