/**
 * A change scheduled for the next period is deferred while an immediate change is being paid for: Stripe can't do both. The
 * subscription's metadata records the deferred plan at its price, and the change it was deferred for, so that it is restored if that isn't
 * paid.
 */
import { type OrderId, readId } from "#app/core/id.ts";
import type { PriceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { type Interval, intervals } from "#app/core/time/interval.ts";
import type Stripe from "stripe";
import { idOf } from "#app/integrations/stripe/fields.ts";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";

/** What a customer chose to start when the current period ends. */
export type ScheduledChange = {
  subscriptionId: SubscriptionId;
  planId: string;
  interval: Interval;
  /** The price that was scheduled. The plan may have another one by now. */
  priceId: PriceId;
  /** What it charges from then on, or null if Stripe's price has no fixed amount. */
  amountMinor: number | null;
  startsAt: number;
  /** The immediate change being paid for: the scheduled one is restored if that isn't paid. */
  deferredFor: OrderId | null;
};

type DeferredChange = Pick<ScheduledChange, "planId" | "interval" | "priceId" | "amountMinor"> & { orderId: OrderId };

/** `personal.month.price_….600.ord_…`: one value of the subscription's metadata, written in one call (schedules.ts), so its parts never disagree. */
export function readDeferredChange({ metadata }: Pick<Stripe.Subscription, "metadata">): DeferredChange | null {
  const [, planId, given, priceId, amount, order] =
    /^(.+)\.(\w+)\.(\w+)\.(\d*)\.(\w+)$/.exec(metadata.planned ?? "") ?? [];
  const interval = intervals.find((each) => each === given);
  const orderId = readId("ord", order);
  if (!planId || !interval || !priceId || !orderId) return null;
  // Written by us from Stripe's own id.
  return { planId, interval, priceId: priceId as PriceId, amountMinor: amount ? Number(amount) : null, orderId };
}

export function noteOf({ planId, interval, priceId, amountMinor }: Omit<DeferredChange, "orderId">, orderId: OrderId) {
  return [planId, interval, priceId, amountMinor ?? "", orderId].join(".");
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
    const { orderId, ...change } = deferred;
    const startsAt = (subscription.items.data[0]?.current_period_end ?? subscription.start_date) * 1000;
    return [{ subscriptionId: idOf(subscription), ...change, startsAt, deferredFor: orderId }];
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
