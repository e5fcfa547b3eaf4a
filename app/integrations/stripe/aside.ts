/**
 * What was planned for the next period gives way while a change of now is being paid for: the provider can't do both. Which plan
 * that was, and for which change it gave way, is noted on the subscription, so that it comes back if that isn't paid.
 */
import type Stripe from "stripe";
import type { Connection } from "./checkout.ts";

/** What a customer chose to begin when the running period ends. */
export type PlannedChange = {
  subscriptionId: string;
  planId: string;
  interval: "month" | "year";
  startsAt: number;
  /** The change that is being paid for in its place: what was planned happens if that isn't paid. */
  setAsideFor: string | null;
};

type Aside = { planId: string; interval: "month" | "year"; orderId: string };

/** `personal.month.ord_…`, in the subscription's metadata. */
export function readAside({ metadata }: Pick<Stripe.Subscription, "metadata">): Aside | null {
  const [, planId, interval, orderId] = /^(.+)\.(month|year)\.(\w+)$/.exec(metadata.planned ?? "") ?? [];
  if (!planId || !orderId) return null;
  return { planId, interval: interval === "year" ? "year" : "month", orderId };
}

/** What was set aside counts as planned. Where something is planned as well, only the note of it is left. */
export function withAsides(planned: PlannedChange[], subscriptions: Stripe.Subscription[]): PlannedChange[] {
  const running = subscriptions.filter((subscription) => subscription.ended_at === null);
  const asides = running.flatMap((subscription): PlannedChange[] => {
    const aside = readAside(subscription);
    if (!aside) return [];
    const { planId, interval, orderId } = aside;
    const startsAt = (subscription.items.data[0]?.current_period_end ?? subscription.start_date) * 1000;
    return [{ subscriptionId: subscription.id, planId, interval, startsAt, setAsideFor: orderId }];
  });
  // Those first that are planned: of two, the first is shown.
  return [...planned, ...asides];
}

/** Somebody chose anew. */
export async function forgetAside({ stripe, within }: Connection, subscription: Stripe.Subscription): Promise<void> {
  if (!subscription.metadata.planned) return;
  await stripe.subscriptions.update(subscription.id, { metadata: { planned: "" } }, within());
}
