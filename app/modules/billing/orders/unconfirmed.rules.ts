/**
 * Decides when an order counts as possibly paid. Invariants: it is marked when a customer returns, an event arrives or a charge is sent
 * and Stripe doesn't answer (`unconfirmed_until`), and cleared by the next sync that begins at that time or later; meanwhile no page,
 * call or command offers to pay this order or another instead. Called from the checkout, the reconciler and the payment pages.
 */
import type { OrderId } from "#app/core/id.ts";
import { secondMs } from "#app/core/time/time.ts";
import { resultPath } from "#app/core/page-paths.ts";
import { type Order, orderStates, paymentStatusOf, underWayMs } from "./rules.ts";

/** The page after an unanswered charge doesn't wait for Stripe again; its refresh does. */
const justAskedMs = 4 * secondMs;

/** When Stripe's answers count again after an unanswered charge, which may still be executed until then. */
export function unconfirmedAfterCharge(now: number): number {
  return now + underWayMs;
}

export function wasJustAsked({ unconfirmedUntil }: Pick<Order, "unconfirmedUntil">, now: number): boolean {
  return unconfirmedUntil !== null && unconfirmedUntil > unconfirmedAfterCharge(now) - justAskedMs;
}

/** The states that may turn out to be paid. A payment that is processing is known, and can't be paid twice. */
export const confirmableStates = orderStates.filter(
  (state) => state !== "processing" && paymentStatusOf[state] !== "success",
);

/** Whether the bank is processing it or Stripe hasn't answered. Until that is known, nothing can be bought. */
export function isUnderWay({ state, isUnconfirmed }: Pick<Order, "state" | "isUnconfirmed">): boolean {
  return isUnconfirmed || state === "processing";
}

/** Why nothing is sold or charged: an order of this account is unconfirmed. Its page refreshes until it is settled. */
export type UnconfirmedRefusal = { reason: "payment-unconfirmed"; orderId: OrderId };

/** The page that shows the order's result, and refreshes until there is one. */
export function paymentPath({ id, state, isUnconfirmed }: Pick<Order, "id" | "state" | "isUnconfirmed">): string {
  return resultPath(isUnconfirmed ? "processing" : paymentStatusOf[state], id);
}
