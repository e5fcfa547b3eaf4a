/**
 * Decides which of an account's plans counts if several run at once, and that nothing else can be bought meanwhile. Invariant: the newest
 * one stays, whichever way each began; the same facts give the same plan. Called from the reconciler.
 */
import type { OrderId } from "#app/core/id.ts";
import type { CheckoutId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type { CheckoutState, InvoiceState, SubscriptionStatus } from "#app/core/stripe/states.ts";

type Facts = {
  subscriptions: {
    id: SubscriptionId;
    status: SubscriptionStatus;
    sold: { planId: string } | null;
    createdAt: number;
  }[];
  invoices: { subscriptionId: SubscriptionId | null; state: InvoiceState }[];
  checkouts: { id: CheckoutId; state: CheckoutState; orderId: OrderId | null }[];
};

type Verdict = {
  /** Ended in favour of `kept`, oldest first; usually none. */
  superseded: SubscriptionId[];
  kept: { id: SubscriptionId; createdAt: number } | null;
  /** Checkouts that would start another plan. */
  expired: CheckoutId[];
};

/** A paused plan isn't one of them: it waits for the plan that replaces it. Nor is a subscription for something that isn't sold here. */
const runningStatuses: readonly SubscriptionStatus[] = ["active", "trialing", "past_due", "unpaid"];

export function decideConcurrentPlans(
  { subscriptions, invoices, checkouts }: Facts,
  isSoldHere: (planId: string) => boolean,
): Verdict {
  const hasBegun = (id: SubscriptionId) =>
    invoices.some(({ subscriptionId, state }) => subscriptionId === id && state === "paid");
  const running = subscriptions
    .filter(
      ({ id, status, sold }) => runningStatuses.includes(status) && sold && isSoldHere(sold.planId) && hasBegun(id),
    )
    .toSorted((left, right) => left.createdAt - right.createdAt || left.id.localeCompare(right.id));
  const kept = running.at(-1) ?? null;
  return {
    superseded: running.slice(0, -1).map(({ id }) => id),
    kept,
    expired:
      kept === null ? [] : checkouts.flatMap(({ id, state, orderId }) => (state === "open" && orderId ? id : [])),
  };
}
