/**
 * Decides what a subscription's state means for access, payment and its owner. Invariants: no subscription is the free plan; Stripe is the
 * source of truth for payments; `policies` alone says what a state means. Called from pages, commands and the product API.
 */
import type { SubscriptionId } from "#app/core/stripe/ids.ts";
import { type NetAmount, netAmountFor } from "#app/core/money/net-amount.ts";
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import type { MoneyAmount } from "#app/core/money/money.ts";
import type {
  BillingReason,
  Collection,
  EndCause,
  InvoiceState,
  PauseCause,
  SubscriptionStatus,
} from "#app/core/stripe/states.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dayMs } from "#app/core/time/time.ts";

export const subscriptionStates = [
  "active",
  "past-due-grace",
  "past-due-locked",
  "incomplete",
  "unpaid",
  "paused",
  "ended",
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];
/** How long access continues after a renewal failed; then the plan is locked while Stripe retries. */
export const graceMs = 14 * dayMs;
/** One grace period per this time: if another renewal fails after an unpaid one, the plan is locked immediately. */
export const unpaidGraceWindowMs = 180 * dayMs;

type RenewalFacts = { billingReason: BillingReason; state: InvoiceState; attempts: number; createdAt: number };

/**
 * Whether an earlier renewal was due within `unpaidGraceWindowMs` before `since` and never paid, so that there is no second grace period.
 */
export function isGraceSpent(invoices: readonly RenewalFacts[], since: number): boolean {
  return invoices.some(
    ({ billingReason, state, attempts, createdAt }) =>
      billingReason === "renewal" &&
      (state === "open" || state === "void") &&
      attempts > 0 &&
      createdAt < since &&
      createdAt > since - unpaidGraceWindowMs,
  );
}

/** Whether the plan was locked without a grace period, since one couldn't have ended yet. */
export function isLockedAtOnce({ state, pastDueSince }: Pick<Subscription, "state" | "pastDueSince">, now: number) {
  return state === "past-due-locked" && pastDueSince !== null && now < pastDueSince + graceMs;
}

type Policy = { keepsPlan: boolean; hasAccess: boolean; maySubscribe: boolean; needsPayment: boolean };

/** What each state means; the only source for pages and commands. */
export const policies: Record<SubscriptionState, Policy> = {
  active: { keepsPlan: true, hasAccess: true, maySubscribe: false, needsPayment: false },
  "past-due-grace": { keepsPlan: true, hasAccess: true, maySubscribe: false, needsPayment: true },
  "past-due-locked": { keepsPlan: true, hasAccess: false, maySubscribe: false, needsPayment: true },
  unpaid: { keepsPlan: true, hasAccess: false, maySubscribe: false, needsPayment: true },
  paused: { keepsPlan: true, hasAccess: false, maySubscribe: true, needsPayment: false },
  incomplete: { keepsPlan: false, hasAccess: false, maySubscribe: true, needsPayment: true },
  ended: { keepsPlan: false, hasAccess: false, maySubscribe: true, needsPayment: false },
};

/** Whether its owner ends the plan immediately by cancelling: nothing is collected for it, and its period may never end or have ended already. */
export function endsAtOnce(state: SubscriptionState): boolean {
  return policies[state].needsPayment || state === "paused";
}

/**
 * Whether a cancellation that anyone may have declared ends it immediately, which can't be undone: only if nothing is left to lose, because
 * it is paused and its period is over.
 */
export function endsAtOnceForAnyone(
  { state, periodEndsAt }: Pick<Subscription, "state" | "periodEndsAt">,
  now: number,
) {
  return state === "paused" && periodEndsAt <= now;
}

/** The states in which an account has a plan that it pays for, or should. */
export const keepingStates = subscriptionStates.filter((state) => policies[state].keepsPlan);
/** The others; `keepsPlan` in schema.ts is the condition in SQL. */
export const planlessStates = subscriptionStates.filter((state) => !policies[state].keepsPlan).toSorted();
/** In these states the running plan can be changed, but no other bought. A plan bought while one is paused replaces it. */
export const exclusiveStates = keepingStates.filter((state) => !policies[state].maySubscribe);

/** Maps Stripe's eight statuses to our states. Past due is split by whether there is a grace period that hasn't ended. */
export function stateOf(
  status: SubscriptionStatus,
  pastDueSince: number | null,
  now: number,
  hasNoGrace = false,
): SubscriptionState {
  switch (status) {
    case "active":
    case "trialing":
      return "active";
    case "past_due":
      return pastDueSince !== null && (hasNoGrace || now - pastDueSince >= graceMs)
        ? "past-due-locked"
        : "past-due-grace";
    case "unpaid":
      return "unpaid";
    case "paused":
      return "paused";
    case "incomplete":
      return "incomplete";
    case "incomplete_expired":
    case "canceled":
      return "ended";
  }
}

export type Subscription = {
  id: SubscriptionId;
  state: SubscriptionState;
  planId: string;
  interval: Interval;
  amountMinor: number;
  currency: string;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpires: string | null;
  /** What replaces the plan at `pendingAt`; all three or none. */
  pendingPlanId: string | null;
  pendingInterval: Interval | null;
  pendingAt: number | null;
  /** What it charges, as it was scheduled: the config may have another price since. Null: nothing is scheduled, or today's price counts. */
  pendingMinor: number | null;
  startedAt: number;
  periodEndsAt: number;
  cancelsAt: number | null;
  /** It was renewed for a year and ends with a month's notice: what is left of the year is refunded then. */
  endsByNotice: boolean;
  pastDueSince: number | null;
  endedAt: number | null;
  /** While on hold, nothing is collected until a team member resumes it at Stripe, and the plan continues. */
  collection: Collection;
  /** A renewal whose invoice exists as a draft and is charged at `comingAt`; both or none. */
  comingMinor: number | null;
  comingAt: number | null;
  /** The next renewal's amount, also of a scheduled change, if a team member gave a discount. Null if the price applies. */
  renewalMinor: number | null;
  /** Until then nothing is paid for it. Null if no trial runs. */
  trialEndsAt: number | null;
  /** Why Stripe paused it. Null unless it is paused there. */
  pauseCause: PauseCause | null;
  /** Null while it runs, or if its owner or the team ended it. */
  endCause: EndCause | null;
  /** What Stripe refused to refund when it ended because a newer plan ran, until it has been refunded. */
  refundOwedMinor: number;
};

/** The subscription that determines the plan, if there is one. */
export function runningSubscription(subscriptions: Subscription[]): Subscription | null {
  return subscriptions.find((subscription) => policies[subscription.state].keepsPlan) ?? null;
}

/** How long after a plan ended its owner is told first of all why. */
const endNoticeMs = 30 * dayMs;

/** Whether a plan ended a short while ago because its payment failed, which its owner may not have noticed. */
export function isLostLately({ endCause, endedAt }: Pick<Subscription, "endCause" | "endedAt">, now: number): boolean {
  return endCause === "payment-failed" && endedAt !== null && now < endedAt + endNoticeMs;
}

/**
 * Whether a plan is bought rather than changed: none runs, or the running one is paused and ends once the other is paid. One of which a
 * payment is disputed isn't replaced: Stripe refuses to refund what is left of it until the bank has decided.
 */
export function needsNewCheckout(running: Pick<Subscription, "state" | "pauseCause"> | null): boolean {
  return running === null || (policies[running.state].maySubscribe && running.pauseCause !== "disputed");
}

/**
 * The next charge, less credit, and its date: a drafted invoice, or else the next period's price or renewal amount. Null if there is none.
 */
export function nextCharge(
  subscription: Subscription,
  priceOfPending: (planId: string, interval: Interval) => number,
  creditMinor: number,
): (MoneyAmount & NetAmount & { at: number }) | null {
  const { state, collection, currency, comingMinor, comingAt, periodEndsAt } = subscription;
  if (collection === "on-hold" || !collectedStates.includes(state)) return null;
  const charge = (minor: number, at: number) => ({ ...netAmountFor(minor, creditMinor, currency), currency, at });
  const nextAt = chargedAt(periodEndsAt);
  if (comingMinor !== null && comingAt !== null) return charge(comingMinor, comingAt);
  // A team member may have scheduled the end some periods later: until then it renews.
  if (subscription.cancelsAt !== null && subscription.cancelsAt <= periodEndsAt) return null;
  if (subscription.renewalMinor !== null) return charge(subscription.renewalMinor, nextAt);
  const { pendingPlanId, pendingInterval, pendingAt, pendingMinor } = subscription;
  // A schedule made in Stripe's dashboard may change the plan some periods later.
  const isPending = pendingPlanId !== null && pendingInterval !== null && (pendingAt ?? Infinity) <= periodEndsAt;
  if (!isPending) return charge(subscription.amountMinor, nextAt);
  return charge(pendingMinor ?? priceOfPending(pendingPlanId, pendingInterval), nextAt);
}

/** The states in which Stripe's invoices are collected; those of an unpaid plan stay drafts. */
const collectedStates: SubscriptionState[] = ["active", "past-due-grace", "past-due-locked"];

/** Buttons of the plan page. */
export const subscriptionActions = ["cancel", "resume", "undo-change", "retry", "update-card"] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

/**
 * Why an action isn't available, as its disabled button says. Null if it is available. `endsAt`: when the plan would end if it were cancelled
 * now; one that was cancelled to a later day can be cancelled again.
 */
export function checkSubscriptionAction(
  action: SubscriptionAction,
  subscription: Subscription | null,
  endsAt: number = subscription?.periodEndsAt ?? 0,
): SubscriptionActionRefusal | null {
  if (!subscription) return { reason: "no-plan" };
  switch (action) {
    case "cancel":
      return subscription.cancelsAt === null || endsAt < subscription.cancelsAt
        ? null
        : { reason: "cancelled-already", endsAt: subscription.cancelsAt };
    case "resume":
      return subscription.cancelsAt === null ? { reason: "not-cancelled" } : null;
    case "undo-change":
      return subscription.pendingPlanId === null ? { reason: "nothing-planned" } : null;
    case "retry":
    case "update-card":
      return null;
  }
}

export type SubscriptionActionRefusal =
  | { reason: "no-plan" }
  | { reason: "cancelled-already"; endsAt: number }
  | { reason: "not-cancelled" }
  | { reason: "nothing-planned" };
