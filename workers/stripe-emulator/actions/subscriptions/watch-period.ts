import type Stripe from "stripe";
import { TRIAL_NOTICE_SECONDS, UPCOMING_NOTICE_SECONDS } from "../../time/billing-times.ts";
import type { Books } from "../../books.ts";
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
];

/** Timers for the subscription's current period and its end. */
export function watchPeriod(books: Books, subscription: Stripe.Subscription): void {
  const { end } = periodOf(subscription);
  const now = books.clock.now();
  books.clock.setTimer("subscription-period-ends", subscription.id, end);
  setAhead(books, "renewal-upcoming", subscription.id, end - UPCOMING_NOTICE_SECONDS);
  books.clock.clearTimer("trial-will-end", subscription.id);
  if (subscription.status === "trialing")
    books.clock.setTimer("trial-will-end", subscription.id, Math.max(end - TRIAL_NOTICE_SECONDS, now));
}

export function stopWatching(books: Books, subscription: Stripe.Subscription): void {
  for (const kind of TIMERS) books.clock.clearTimer(kind, subscription.id);
}

/** Periods shorter than the notice have none. */
function setAhead(books: Books, kind: TimerKind, object: string, due: number): void {
  if (due > books.clock.now()) books.clock.setTimer(kind, object, due);
  else books.clock.clearTimer(kind, object);
}
