/**
 * Decides what operators see of a bank's warning that a payment was fraud. Invariant: the site itself neither refunds nor locks anything,
 * since a warning may be wrong. Called from the operators' lists.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";

/** Most disputes that a warning announces come within this time. After it the warning is neither listed nor stored. */
export const fraudWarningLifeMs = 60 * dayMs;

/** Stands for what Stripe refuses to say. None of Stripe's own words for fraud. */
export const unknownFraudType = "unknown";

type Warned = Pick<Order, "state" | "dispute"> | null;

/** Null once there is nothing left to do: the money went back, or the dispute has come. `order` is null if the payment isn't known to be for one of ours. */
export function whatToDo(order: Warned, fraudType: string | null): string | null {
  if (order === null && fraudType === unknownFraudType)
    return "look for the payment in Stripe's dashboard, and let the site's key read fraud warnings and invoice payments: Stripe refused to say more";
  if (order === null) return "look for the payment in Stripe's dashboard: it isn't for an order of this site";
  if (order.state === "refunded" || order.dispute !== "none") return null;
  return "refund it in Stripe's dashboard, unless you know that the customer paid: a dispute costs a fee as well";
}

/** `made_with_stolen_card` as `made with stolen card`. */
export function nameFraudType(fraudType: string): string {
  return fraudType.replaceAll("_", " ");
}
