/** Decides whether an account's last plan didn't start because its payment wasn't what was asked for. Called from the pages about the plan. */
import type { Order } from "./rules.ts";

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
