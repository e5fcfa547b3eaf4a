import type Stripe from "stripe";
import type { Store } from "../../store.ts";
import type { Transaction } from "../../transaction.ts";
import { saveSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { stopWatching } from "./watch-period.ts";

/** Every reason that Stripe gives for the status `paused`. */
export const PAUSE_CAUSES = [
  "final_payment_failure",
  "first_payment_failure",
  "pause_requested",
  "system",
  "trial_end_without_payment_method",
] as const;
export type PauseCause = (typeof PAUSE_CAUSES)[number];

/** No period begins and no invoice is drafted until it is resumed. What is owed can still be paid. */
export function pauseSubscription(
  tx: Transaction,
  subscription: Stripe.Subscription,
  cause: PauseCause,
): Stripe.Subscription {
  stopWatching(tx, subscription);
  const paused = saveSubscription(tx, subscription, {
    status: "paused",
    status_details: {
      paused: { type: "subscription", subscription: { type: cause }, transitioned_at: tx.clock.now() },
    },
  });
  tx.record("customer.subscription.paused", paused);
  return paused;
}

/** When a failed renewal pauses its subscription, a setting of the dashboard: after the first attempt, after the last, or never. */
export const PAUSES_AFTER = ["never", "first", "last"] as const;
export type PausesAfter = (typeof PAUSES_AFTER)[number];

export const pausesAfterOf = (store: Store): PausesAfter =>
  PAUSES_AFTER.find((known) => known === store.note("pauses-after")) ?? "never";

export const setPausesAfter = (store: Store, after: PausesAfter): void => store.writeNote("pauses-after", after);
