/**
 * Decides what operators see of payments that weren't what was asked for. Invariant: one whose money Stripe didn't send back is listed until
 * it is, and any other for a month. Called from the operators' lists and the health report.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { OrderFailure, OrderState } from "#app/modules/orders/rules.ts";

/** How long a settled one is listed. */
export const mismatchListedMs = 30 * dayMs;

type Paid = { failure: OrderFailure | null; state: OrderState; paidAt: number | null };

/** Null: it was what was asked for, or it was settled a month ago. */
export function whatToDo({ failure, state, paidAt }: Paid, now: number): string | null {
  if (failure !== "mismatch-kept" && failure !== "mismatch-refunded") return null;
  if (failure === "mismatch-refunded" && state !== "refunded") return "refund it in Stripe's dashboard";
  if (now - (paidAt ?? 0) > mismatchListedMs) return null;
  const settled = failure === "mismatch-kept" ? "plan kept at what was paid" : "refunded, and the plan ended";
  return `nothing: ${settled}. Find out why: npm run doctor`;
}
