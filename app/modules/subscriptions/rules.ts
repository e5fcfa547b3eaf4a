/**
 * The plans module: what an account has subscribed to. Free is the absence of a subscription. The payment provider is the
 * source of truth for money; here stands what its states mean for a customer, in one table.
 */
import * as v from "valibot";
import { type Charge, chargeFor } from "#app/core/money/charge.ts";
import type { Money } from "#app/core/money/money.ts";
import { text } from "#app/core/text/text.ts";
import { dayMs } from "#app/core/time/time.ts";

export type SubscriptionState =
  | "active"
  | "past-due-grace"
  | "past-due-locked"
  | "incomplete"
  | "unpaid"
  | "paused"
  | "ended";

/** How long access continues after a renewal failed; then the plan is locked while Stripe retries. */
export const graceMs = 14 * dayMs;
/** One grace period for an unpaid renewal in this time: another renewal that fails locks the plan at once. */
export const unpaidGraceWindowMs = 180 * dayMs;

type RenewalFacts = { cause: string; state: "draft" | "open" | "paid" | "void"; attempts: number; createdAt: number };

/** An earlier renewal was asked for within `unpaidGraceWindowMs` before `since`, and never paid: its grace was the last one for now. */
export function isGraceSpent(invoices: readonly RenewalFacts[], since: number): boolean {
  return invoices.some(
    ({ cause, state, attempts, createdAt }) =>
      cause === "renewal" &&
      (state === "open" || state === "void") &&
      attempts > 0 &&
      createdAt < since &&
      createdAt > since - unpaidGraceWindowMs,
  );
}

/** Locked before a grace could have ended: there was none. */
export function isLockedAtOnce({ state, pastDueSince }: Pick<Subscription, "state" | "pastDueSince">, now: number) {
  return state === "past-due-locked" && pastDueSince !== null && now < pastDueSince + graceMs;
}

export type Policy = { keepsPlan: boolean; hasAccess: boolean; maySubscribe: boolean; needsPayment: boolean };

/** What each state means. UI and acts read this table, nothing else. */
export const policies: Record<SubscriptionState, Policy> = {
  active: { keepsPlan: true, hasAccess: true, maySubscribe: false, needsPayment: false },
  "past-due-grace": { keepsPlan: true, hasAccess: true, maySubscribe: false, needsPayment: true },
  "past-due-locked": { keepsPlan: true, hasAccess: false, maySubscribe: false, needsPayment: true },
  unpaid: { keepsPlan: true, hasAccess: false, maySubscribe: false, needsPayment: true },
  paused: { keepsPlan: true, hasAccess: false, maySubscribe: true, needsPayment: false },
  incomplete: { keepsPlan: false, hasAccess: false, maySubscribe: true, needsPayment: true },
  ended: { keepsPlan: false, hasAccess: false, maySubscribe: true, needsPayment: false },
};

/** Ended, it ends at once: nothing is collected for it, and the end of its period may never come or be past. */
export function endsAtOnce(state: SubscriptionState): boolean {
  return policies[state].needsPayment || state === "paused";
}

/** In these an account has the plan that it pays for, or should. */
export const keepingStates = (Object.keys(policies) as SubscriptionState[]).filter(
  (state) => policies[state].keepsPlan,
);

/** In these nothing else can be bought; what runs is changed. What is bought while a plan is paused takes its place. */
export const exclusiveStates = keepingStates.filter((state) => !policies[state].maySubscribe);

/** The eight words of Stripe, and ours. Past due splits by how long ago the renewal failed, and by whether there is a grace. */
export function stateOf(
  status: ProviderStatus,
  pastDueSince: number | null,
  now: number,
  graceIsSpent = false,
): SubscriptionState {
  switch (status) {
    case "active":
    case "trialing":
      return "active";
    case "past_due":
      return pastDueSince !== null && (graceIsSpent || now - pastDueSince >= graceMs)
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

export type ProviderStatus =
  | "active"
  | "trialing"
  | "past_due"
  | "unpaid"
  | "paused"
  | "incomplete"
  | "incomplete_expired"
  | "canceled";

export type Subscription = {
  id: string;
  state: SubscriptionState;
  planId: string;
  interval: "month" | "year";
  amountMinor: number;
  currency: string;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpires: string | null;
  /** What begins at `pendingAt` in its place; all three or none. */
  pendingPlanId: string | null;
  pendingInterval: "month" | "year" | null;
  pendingAt: number | null;
  startedAt: number;
  periodEndsAt: number;
  cancelsAt: number | null;
  pastDueSince: number | null;
  endedAt: number | null;
  /** On hold: nothing is collected until the team says so at the provider; the plan goes on. */
  collection: "automatic" | "on-hold";
  /** A renewal whose invoice is drawn and goes out at `comingAt`; both or none. */
  comingMinor: number | null;
  comingAt: number | null;
  /** What the next renewal comes to, also of what is planned, where the team gave a discount; null: the price. */
  renewalMinor: number | null;
};

/** The subscription that decides now, if any keeps its plan. */
export function runningSubscription(subscriptions: Subscription[]): Subscription | null {
  return subscriptions.find((subscription) => policies[subscription.state].keepsPlan) ?? null;
}

/** A plan is bought rather than changed: none runs, or what runs is paused and ends once the other one is paid. */
export function startsAnew(running: Subscription | null): boolean {
  return running === null || policies[running.state].maySubscribe;
}

/**
 * What is charged next, and when: what is drawn already, or what the next period comes to: the price, or what the provider reckons where
 * there is a discount; less the credit that is there, or with what was carried over to it. Null: nothing is.
 */
export function nextCharge(
  subscription: Subscription,
  priceOfPending: (planId: string, interval: "month" | "year") => number,
  creditMinor: number,
): (Money & Charge & { at: number }) | null {
  const { state, collection, currency, comingMinor, comingAt, periodEndsAt } = subscription;
  if (collection === "on-hold" || !collectedStates.includes(state)) return null;
  const charge = (minor: number, at: number) => ({ ...chargeFor(minor, creditMinor, currency), currency, at });
  if (comingMinor !== null && comingAt !== null) return charge(comingMinor, comingAt);
  // A team may have it end some periods later: until then it renews.
  if (subscription.cancelsAt !== null && subscription.cancelsAt <= periodEndsAt) return null;
  if (subscription.renewalMinor !== null) return charge(subscription.renewalMinor, periodEndsAt);
  const { pendingPlanId, pendingInterval, pendingAt } = subscription;
  // A schedule of the provider's dashboard may change the plan some periods later.
  const isPending = pendingPlanId !== null && pendingInterval !== null && (pendingAt ?? Infinity) <= periodEndsAt;
  return charge(isPending ? priceOfPending(pendingPlanId, pendingInterval) : subscription.amountMinor, periodEndsAt);
}

/** In these the provider goes on drawing invoices that are to be paid; what is drawn for an unpaid one stays a draft. */
const collectedStates: SubscriptionState[] = ["active", "past-due-grace", "past-due-locked"];

/** Buttons of the plan page. */
export const planMoves = ["cancel", "resume", "undo-change", "retry", "update-card"] as const;
export type PlanMove = (typeof planMoves)[number];

/** Why a move isn't open; null: it is. A button that is shut says this. */
export function judgeMove(move: PlanMove, subscription: Subscription | null): PlanMoveRefusal | null {
  if (!subscription) return { reason: "no-plan" };
  switch (move) {
    case "cancel":
      return subscription.cancelsAt === null ? null : { reason: "cancelled-already", endsAt: subscription.cancelsAt };
    case "resume":
      return subscription.cancelsAt === null ? { reason: "not-cancelled" } : null;
    case "undo-change":
      return subscription.pendingPlanId === null ? { reason: "nothing-planned" } : null;
    case "retry":
    case "update-card":
      return null;
  }
}

export type PlanMoveRefusal =
  | { reason: "no-plan" }
  | { reason: "cancelled-already"; endsAt: number }
  | { reason: "not-cancelled" }
  | { reason: "nothing-planned" };

export const planForm = v.object({
  intent: v.picklist(planMoves, "intent-unknown"),
  /** With `retry`: which charge is tried; without it the one that is due longest. */
  order: v.optional(v.pipe(text(), v.maxLength(100, "too-long"))),
});
