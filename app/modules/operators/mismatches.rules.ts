/**
 * Decides what operators see of payments that weren't what was asked for. Invariant: one whose money Stripe didn't send back is listed until
 * it is, and any other for a month. Called from the operators' lists and the health report.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { isRefundOwed } from "#app/modules/billing/orders/states.rules.ts";

/** How long a settled one is listed. */
export const mismatchListedMs = 30 * dayMs;

type Paid = Pick<Order, "failure" | "state" | "dispute" | "paidAt">;

/** Null if it was what was asked for, or was settled a month ago. */
export function whatToDo(order: Paid, now: number): string | null {
  const { failure, state, paidAt } = order;
  if (failure !== "mismatch-kept" && failure !== "mismatch-refunded") return null;
  if (isRefundOwed(order)) return "refund it in Stripe's dashboard";
  if (now - (paidAt ?? 0) > mismatchListedMs) return null;
  const back = state === "refunded" ? "refunded" : "returned by the bank";
  const settled = failure === "mismatch-kept" ? "plan kept at what was paid" : `${back}, and the plan ended`;
  return `nothing: ${settled}. Find out why: npm run doctor`;
}
