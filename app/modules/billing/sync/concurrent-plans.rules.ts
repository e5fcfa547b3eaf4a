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

type Ended = { id: SubscriptionId; createdAt: number; endedAt: number | null };

/** When the plan began for which an older one was ended: the newest of those that ran then. */
export function supersededSince(ended: Ended, subscriptions: readonly Ended[]): number | null {
  const { endedAt } = ended;
  if (endedAt === null) return null;
  const ranThen = subscriptions.filter(
    (other) =>
      other.id !== ended.id && other.createdAt <= endedAt && (other.endedAt === null || other.endedAt > endedAt),
  );
  return ranThen.length === 0 ? endedAt : Math.max(...ranThen.map(({ createdAt }) => createdAt));
}

/** One of these can be kept. A paused plan can't: it waits for the plan that replaces it. */
const runningStatuses: readonly SubscriptionStatus[] = ["active", "trialing", "past_due", "unpaid"];

export function decideConcurrentPlans(
  { subscriptions, invoices, checkouts }: Facts,
  isSoldHere: (planId: string) => boolean,
): Verdict {
  const hasBegun = (id: SubscriptionId) =>
    invoices.some(({ subscriptionId, state }) => subscriptionId === id && state === "paid");
  const own = subscriptions
    .filter(({ sold }) => sold && isSoldHere(sold.planId))
    .toSorted((left, right) => left.createdAt - right.createdAt || left.id.localeCompare(right.id));
  const running = own.filter(({ id, status }) => runningStatuses.includes(status) && hasBegun(id));
  const kept = running.at(-1) ?? null;
  const others = own.filter((each) => each !== kept && (running.includes(each) || each.status === "paused"));
  return {
    superseded: kept === null ? [] : others.map(({ id }) => id),
    kept,
    expired:
      kept === null ? [] : checkouts.flatMap(({ id, state, orderId }) => (state === "open" && orderId ? id : [])),
  };
}
