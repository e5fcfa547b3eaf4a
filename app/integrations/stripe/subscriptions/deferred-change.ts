/**
 * A change scheduled for the next period is deferred while an immediate change is being paid for: Stripe can't do both. The
 * subscription's metadata records the deferred plan and the change it was deferred for, so that it is restored if that isn't paid.
 */
import { type OrderId, readId } from "#app/core/id.ts";
import type { SubscriptionId } from "#app/core/stripe/ids.ts";
import { type Interval, intervals } from "#app/core/time/interval.ts";
import type Stripe from "stripe";
import { idOf } from "#app/integrations/stripe/fields.ts";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";

/** What a customer chose to start when the current period ends. */
export type ScheduledChange = {
  subscriptionId: SubscriptionId;
  planId: string;
  interval: Interval;
  /** What it charges from then on. Null while it is set aside for an immediate change: it is scheduled again at the price of that time. */
  amountMinor: number | null;
  startsAt: number;
  /** The immediate change being paid for: the scheduled one is restored if that isn't paid. */
  deferredFor: OrderId | null;
};

type DeferredChange = { planId: string; interval: Interval; orderId: OrderId };

/** `personal.month.ord_…`: one value of the subscription's metadata, written in one call (schedules.ts), so its parts never disagree. */
export function readDeferredChange({ metadata }: Pick<Stripe.Subscription, "metadata">): DeferredChange | null {
  const [, planId, given, order] = /^(.+)\.(\w+)\.(\w+)$/.exec(metadata.planned ?? "") ?? [];
  const interval = intervals.find((each) => each === given);
  const orderId = readId("ord", order);
  return planId && interval && orderId ? { planId, interval, orderId } : null;
}

/** A deferred change counts as scheduled. If there is a schedule as well, the stored note of the deferred change is outdated. */
export function withDeferredChanges(
  planned: ScheduledChange[],
  subscriptions: Stripe.Subscription[],
): ScheduledChange[] {
  const running = subscriptions.filter((subscription) => subscription.ended_at === null);
  const deferred = running.flatMap((subscription): ScheduledChange[] => {
    const deferred = readDeferredChange(subscription);
    if (!deferred) return [];
    const { planId, interval, orderId } = deferred;
    const startsAt = (subscription.items.data[0]?.current_period_end ?? subscription.start_date) * 1000;
    return [
      { subscriptionId: idOf(subscription), planId, interval, amountMinor: null, startsAt, deferredFor: orderId },
    ];
  });
  // Scheduled changes come first, because the first of two is shown.
  return [...planned, ...deferred];
}

/** Removes the note of a deferred change, for example when the customer makes a new choice. */
export async function clearDeferredChange(
  { stripe, within }: Connection,
  subscription: Stripe.Subscription,
): Promise<void> {
  if (!subscription.metadata.planned) return;
  await stripe.subscriptions.update(subscription.id, { metadata: { planned: "" } }, within());
}
