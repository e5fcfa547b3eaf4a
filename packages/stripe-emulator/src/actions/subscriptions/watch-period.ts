import type Stripe from "stripe";
import { TRIAL_NOTICE_SECONDS, UPCOMING_NOTICE_SECONDS } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import type { TimerKind } from "../../time/clock.ts";
import { periodOf } from "../../objects/subscriptions/subscription-shape.ts";

const TIMERS: readonly TimerKind[] = [
  "subscription-cancels",
  "subscription-period-ends",
  "renewal-upcoming",
  "trial-will-end",
  "incomplete-expires",
  "pending-update-expires",
  "collection-resumes",
  "subscription-resumes",
];

/** Timers for the subscription's current period and its end. */
export function watchPeriod(tx: Transaction, subscription: Stripe.Subscription): void {
  const { end } = periodOf(subscription);
  const now = tx.clock.now();
  tx.clock.setTimer("subscription-period-ends", subscription.id, end);
  setAhead(tx, "renewal-upcoming", subscription.id, end - UPCOMING_NOTICE_SECONDS);
  tx.clock.clearTimer("trial-will-end", subscription.id);
  if (subscription.status === "trialing")
    tx.clock.setTimer("trial-will-end", subscription.id, Math.max(end - TRIAL_NOTICE_SECONDS, now));
}

export function stopWatching(tx: Transaction, subscription: Stripe.Subscription): void {
  for (const kind of TIMERS) tx.clock.clearTimer(kind, subscription.id);
}

/** Periods shorter than the notice have none. */
function setAhead(tx: Transaction, kind: TimerKind, object: string, due: number): void {
  if (due > tx.clock.now()) tx.clock.setTimer(kind, object, due);
  else tx.clock.clearTimer(kind, object);
}
