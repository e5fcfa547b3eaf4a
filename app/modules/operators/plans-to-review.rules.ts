/**
 * Decides which plans operators see because Stripe or the site paused or ended them, and what to do. Invariants: a paused one is listed until
 * it runs or ends, one that ended for a month, and one of which a refund is owed until that is made. Called from the operators' lists.
 */
import type { EndCause, PauseCause } from "#app/core/stripe/states.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { SubscriptionState } from "#app/modules/billing/subscriptions/rules.ts";
import type { UnclaimedReason } from "#app/modules/billing/subscriptions/unclaimed-customers.rules.ts";

export const endListedMs = 30 * dayMs;

type Plan = {
  state: SubscriptionState;
  pauseCause: PauseCause | null;
  endCause: EndCause | null;
  endedAt: number | null;
  refundOwedMinor: number;
  currency: string;
};

type ToReview = { why: string; todo: string };

const byPause: Record<PauseCause, ToReview> = {
  requested: {
    why: "paused in the dashboard or the portal",
    todo: "resume it in Stripe's dashboard when the customer asks: only the team can",
  },
  system: {
    why: "paused by Stripe itself",
    todo: "find out why in Stripe's dashboard, and resume it there: the customer can't",
  },
  "trial-ended": { why: "its trial ended without a card", todo: "nothing: the customer can buy the plan" },
  disputed: {
    why: "paused, since a payment is disputed and the config says so",
    todo: "answer the dispute in Stripe's dashboard: the plan continues if it is won, and ends if it is lost",
  },
  "first-payment-failed": {
    why: "paused after the first failed attempt, as set at Stripe",
    todo: "nothing: the customer can pay until the period ends. For the days of grace, change the setting: npm run stripe:setup names it",
  },
  "final-payment-failed": {
    why: "paused after the last failed attempt, as set at Stripe",
    todo: "nothing: the customer can pay until the period ends",
  },
};

const byEnd: Record<EndCause, ToReview> = {
  "payment-failed": { why: "ended, since its payment failed", todo: "nothing: the customer can buy it again" },
  duplicate: {
    why: "ended, since a newer plan ran at the same time",
    todo: "nothing: its unused time was refunded",
  },
};

/** Null if there is nothing to see, or it was long ago. */
export function reviewOf(plan: Plan, now: number): ToReview | null {
  const { state, pauseCause, endCause, endedAt, refundOwedMinor: amountMinor, currency } = plan;
  if (endCause !== null && amountMinor > 0) {
    const amount = formatMoney({ amountMinor, currency }, "en");
    const todo = `refund ${amount} in Stripe's dashboard, which refused it; if the payment is disputed, once the bank has decided`;
    return { why: byEnd[endCause].why, todo };
  }
  if (endCause !== null) return endedAt !== null && endedAt > now - endListedMs ? byEnd[endCause] : null;
  if (pauseCause !== null) return byPause[pauseCause];
  return state === "paused" ? { why: "paused", todo: "find out why in Stripe's dashboard" } : null;
}

/** What to do about a customer of the dashboard that belongs to no account. */
export const unclaimedTodo: Record<UnclaimedReason, string> = {
  "no-account": "ask them to sign up with the customer's address: the plan is theirs within an hour",
  "account-closed": "end the plan in Stripe's dashboard, or ask them to restore the account",
  "other-customer":
    "end it in Stripe's dashboard, and give the plan to the account's own customer, which npm run ops -- person links to",
  "other-shop": "give the plan to a customer of its own in Stripe's dashboard: this one pays for something else, too",
};
