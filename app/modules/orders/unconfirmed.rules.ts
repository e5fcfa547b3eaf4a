/**
 * Unconfirmed orders: they may have been paid, and Stripe hasn't answered since. `unconfirmed_until` of the table says so, and every page, call
 * and command goes by it: none offers to pay such an order, or another one in its place. It is set when a customer comes back, an event arrives
 * or a charge is sent, and Stripe doesn't answer; the next sync that begins at that time or later clears it.
 */
import { secondMs } from "#app/core/time/time.ts";
import { type Order, orderStates, statusOf, underWayMs } from "./rules.ts";

/** The page after an unanswered charge doesn't wait for Stripe again; its refresh does. */
const justAskedMs = 4 * secondMs;

/** When what Stripe answers counts again, after a charge that it didn't answer: until then it may still carry it out. */
export function unconfirmedAfterCharge(now: number): number {
  return now + underWayMs;
}

export function wasJustAsked({ unconfirmedUntil }: Pick<Order, "unconfirmedUntil">, now: number): boolean {
  return unconfirmedUntil !== null && unconfirmedUntil > unconfirmedAfterCharge(now) - justAskedMs;
}

/** What may turn out to be paid. That the bank is working on a payment is known, and nobody pays it a second time. */
export const confirmableStates = orderStates.filter((state) => state !== "processing" && statusOf[state] !== "success");

/** The bank or Stripe has it: no plan is sold until that is known. */
export function isUnderWay({ state, isUnconfirmed }: Pick<Order, "state" | "isUnconfirmed">): boolean {
  return isUnconfirmed || state === "processing";
}

/** Why nothing is bought or charged: an order of the same account is unconfirmed. Its page refreshes until it isn't. */
export type UnconfirmedRefusal = { reason: "payment-unconfirmed"; orderId: string };

/** The page that says what became of an order, and that refreshes while it isn't known. */
export function paymentPath({ id, state, isUnconfirmed }: Pick<Order, "id" | "state" | "isUnconfirmed">): string {
  return `/payment/${isUnconfirmed ? "processing" : statusOf[state]}?order=${id}`;
}
