/**
 * A change scheduled for the next period is suspended while an immediate change is being paid for: Stripe can't do both. The
 * subscription's metadata records the suspended plan and the change it was suspended for, so that it is restored if that isn't paid.
 */
import type { Interval } from "#app/core/time/interval.ts";
import type Stripe from "stripe";
import type { Connection } from "#app/integrations/stripe/payments/checkout.ts";

/** What a customer chose to start when the current period ends. */
export type PlannedChange = {
  subscriptionId: string;
  planId: string;
  interval: Interval;
  startsAt: number;
  /** The immediate change being paid for: the scheduled one is restored if that isn't paid. */
  setAsideFor: string | null;
};

type Aside = { planId: string; interval: Interval; orderId: string };

/** `personal.month.ord_…`, in the subscription's metadata. */
export function readAside({ metadata }: Pick<Stripe.Subscription, "metadata">): Aside | null {
  const [, planId, interval, orderId] = /^(.+)\.(month|year)\.(\w+)$/.exec(metadata.planned ?? "") ?? [];
  if (!planId || !orderId) return null;
  return { planId, interval: interval === "year" ? "year" : "month", orderId };
}

/** A suspended change counts as scheduled. Where there is a schedule as well, only the note of the suspended one is left over. */
export function withAsides(planned: PlannedChange[], subscriptions: Stripe.Subscription[]): PlannedChange[] {
  const running = subscriptions.filter((subscription) => subscription.ended_at === null);
  const asides = running.flatMap((subscription): PlannedChange[] => {
    const aside = readAside(subscription);
    if (!aside) return [];
    const { planId, interval, orderId } = aside;
    const startsAt = (subscription.items.data[0]?.current_period_end ?? subscription.start_date) * 1000;
    return [{ subscriptionId: subscription.id, planId, interval, startsAt, setAsideFor: orderId }];
  });
  // Scheduled changes first: of two, the first is shown.
  return [...planned, ...asides];
}

/** The customer made a new choice. */
export async function forgetAside({ stripe, within }: Connection, subscription: Stripe.Subscription): Promise<void> {
  if (!subscription.metadata.planned) return;
  await stripe.subscriptions.update(subscription.id, { metadata: { planned: "" } }, within());
}
