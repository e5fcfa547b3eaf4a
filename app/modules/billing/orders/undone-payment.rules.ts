/**
 * Decides what pages and operators say of a payment that wasn't what was asked for and isn't granted. Called from the pages about the plan and
 * the payment, and from the operators' lists.
 */
import type { Order } from "./rules.ts";

/** Whether Stripe didn't send it back so far, so that an operator has to. What a bank has returned in a dispute can't be refunded. */
export function isRefundOwed({ failure, state, dispute }: Pick<Order, "failure" | "state" | "dispute">): boolean {
  return failure === "mismatch-refunded" && state !== "refunded" && dispute !== "lost";
}

/** `orders`: of an account without a plan; `ended`: the plan that it had last. */
export function undonePayment<Payment extends Pick<Order, "failure" | "paidAt">>(
  orders: readonly Payment[],
  ended: { startedAt: number } | null,
): Payment | null {
  const [last] = orders
    .filter((order) => order.paidAt !== null)
    .toSorted((left, right) => (right.paidAt ?? 0) - (left.paidAt ?? 0));
  const isOfLastPlan = (last?.paidAt ?? 0) >= (ended?.startedAt ?? 0);
  return last?.failure === "mismatch-refunded" && isOfLastPlan ? last : null;
}
