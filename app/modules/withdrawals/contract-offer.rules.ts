/** What a withdrawal from a contract offers, for the page of an order and for operators. */
import { type ContractOrder, coveredBy, isGone } from "./contract-orders.rules.ts";
import { sumOf, withdrawalShares } from "./contract.rules.ts";

export type WithdrawalOffer = {
  until: number;
  /** All that the contract is made of, and what goes back of each. */
  orders: { id: string; number: string | null; backMinor: number }[];
  totalMinor: number;
  /** Credit that comes back as credit. */
  creditMinor: number;
};

/**
 * The order that an operator refunds as a whole: the newest of which money goes back. The site refunds the rest. An older one may go back
 * in part only, so that refunding it as a whole would be too much. Null: only credit comes back.
 */
export function orderToRefund({ orders }: WithdrawalOffer): WithdrawalOffer["orders"][number] | null {
  return orders.findLast(({ backMinor }) => backMinor > 0) ?? null;
}

type Offered = ContractOrder & { number: string | null; state: string };

/** What a withdrawal that is declared now would cover. Null: there is nothing left to withdraw from, or it is too late. */
export function offerWithdrawal(orders: readonly Offered[], now: number): WithdrawalOffer | null {
  const covered = coveredBy(orders, now);
  const shares = withdrawalShares(orders, now);
  if (!shares) return null;
  const totalMinor = sumOf(shares);
  const creditMinor = sumOf(
    covered.map((order) => ({ amountMinor: order.state === "refunded" ? 0 : Math.max(0, order.creditMinor) })),
  );
  // What is left of it once an order went back as a whole; a contract that cost nothing can be withdrawn from, too.
  const isUndone = orders.some((order) => order.state === "refunded" || isGone(order));
  if (isUndone && totalMinor === 0 && creditMinor === 0) return null;
  const backOf = (orderId: string) => shares.find(({ id }) => id === orderId)?.amountMinor ?? 0;
  return {
    // From then on it would cover less.
    until: Math.min(...covered.map(({ withdrawUntil }) => withdrawUntil ?? Infinity)),
    orders: orders.map(({ id, number }) => ({ id, number, backMinor: backOf(id) })),
    totalMinor,
    creditMinor,
  };
}
