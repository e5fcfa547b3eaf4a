/**
 * The first lines about a customer: who it is, what they pay for, and what needs attention. Called from the operators' call about a
 * person.
 */
import { type Collection, type EndCause, isDisputeOpen, type PauseCause } from "#app/core/stripe/states.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { CancellationId, ReferralId } from "#app/core/id.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type { ActivityName, ActivityResult } from "#app/modules/accounts/activities.rules.ts";
import type { AccountState } from "#app/modules/accounts/rules.ts";
import {
  type CancellationKind,
  type CancellationState,
  whatToDoAbout,
} from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { EmailState } from "#app/modules/email/rules.ts";
import type { DiscountState } from "#app/modules/billing/orders/order-discount.rules.ts";
import { orderNumber, type OrderKind } from "#app/modules/billing/orders/rules.ts";
import type { Dispute, OrderFailure, OrderState } from "#app/modules/billing/orders/states.rules.ts";
import type { ReferralState } from "#app/modules/referrals/rules.ts";
import { keepingStates, type SubscriptionState } from "#app/modules/billing/subscriptions/rules.ts";
import type { UnclaimedReason } from "#app/modules/billing/subscriptions/unclaimed-customers.rules.ts";
import { nameFraudType, whatToDo as todoOfWarning } from "#app/modules/billing/sync/fraud-warnings.rules.ts";
import { reviewOf, unclaimedTodo } from "./plans-to-review.rules.ts";
import { whatToDo } from "./mismatches.rules.ts";
import type { WithdrawalState } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";

type SubscriptionFacts = {
  state: SubscriptionState;
  planId: string;
  interval: Interval;
  amountMinor: number;
  currency: string;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpires: string | null;
  periodEndsAt: number;
  cancelsAt: number | null;
  pastDueSince: number | null;
  collection: Collection;
  pendingPlanId: string | null;
  pendingInterval: Interval | null;
  pendingAt: number | null;
  pauseCause: PauseCause | null;
  endCause: EndCause | null;
  endedAt: number | null;
  refundOwedMinor: number;
};

export type PersonFacts = {
  account: { email: string; name: string | null; state: AccountState; restorableUntil: number | null };
  activities: { what: ActivityName; result: ActivityResult; happenedAt: number }[];
  subscriptions: SubscriptionFacts[];
  orders: {
    state: OrderState;
    kind: OrderKind;
    dispute: Dispute;
    disputeDueAt: number | null;
    failure: OrderFailure | null;
    paidAt: number | null;
    numberYear: number | null;
    numberInYear: number | null;
  }[];
  fraudWarnings: {
    fraudType: string | null;
    state: OrderState;
    dispute: Dispute;
    numberYear: number | null;
    numberInYear: number | null;
  }[];
  unclaimed: { providerId: CustomerId; planId: string; reason: UnclaimedReason }[];
  emails: { state: EmailState; template: string }[];
  /** What hooks say of them. */
  ofHooks: { attention: string[]; undecided: string[] };
  withdrawals: { state: WithdrawalState; number: string | null; refundDueOn: string | null }[];
  cancellations: Cancellation[];
  friends: Referral[];
  broughtBy: Referral[];
  discounts: { id: ReferralId; state: DiscountState; amountMinor: number; currency: string }[];
};

type Cancellation = {
  id: CancellationId;
  state: CancellationState;
  kind: CancellationKind;
  failure: string | null;
  closedAt: number | null;
};

type Referral = { id: ReferralId; state: ReferralState; waitsUntil: number | null };

type PersonSummary = {
  who: string;
  plan: string;
  /** The end of the paid period, or of the plan. */
  paidUntil: string;
  card: string;
  lastSignIn: string;
  attention: string[];
};

const signIns: readonly ActivityName[] = ["signed-up", "signed-in", "signed-in-by-passkey"];

type Context = { product: Pick<ProductConfig, "plans">; now: number };

function sayMethod(subscription: PersonFacts["subscriptions"][number] | null): string {
  if (!subscription?.cardBrand) return "none";
  const { cardBrand, cardLast4, cardExpires } = subscription;
  return [
    cardBrand,
    ...(cardLast4 ? [` ${cardLast4}`] : []),
    ...(cardExpires ? [`, expires ${cardExpires}`] : []),
  ].join("");
}

export function summarise(context: Context, facts: PersonFacts): PersonSummary {
  const { product } = context;
  const { account, subscriptions, activities } = facts;
  const subscription = subscriptions.find(({ state }) => keepingStates.includes(state)) ?? null;
  const signedIn = activities.filter(({ what, result }) => signIns.includes(what) && result === "done");
  const lastAt = Math.max(0, ...signedIn.map(({ happenedAt }) => happenedAt));
  return {
    who: `${account.name ?? "no name"}, ${account.email}${account.state === "active" ? "" : `, account ${account.state}`}`,
    plan: subscription
      ? `${nameOf(product, subscription.planId)}, ${formatMoney(subscription, "en")} a ${subscription.interval}, ${subscription.state}`
      : freePlan(product)
        ? "no paid plan"
        : "no plan, no access",
    paidUntil: subscription ? paidUntil(context, subscription) : "nothing",
    card: sayMethod(subscription),
    lastSignIn: lastAt === 0 ? "none in the log" : minute(lastAt),
    attention: attentionOf(context, subscription, facts),
  };
}

/** The end of the paid period, and what happens then. */
function paidUntil({ product, now }: Context, subscription: SubscriptionFacts): string {
  const { state, collection, periodEndsAt, cancelsAt, pastDueSince } = subscription;
  const dated = (at: number) => `${day(at)}${at < now ? " (passed)" : ""}`;
  const period = dated(periodEndsAt);
  const planned = plannedOf(product, subscription);
  const ends = cancelsAt === null ? [] : [`ends on ${dated(cancelsAt)}`];
  const say = (...parts: string[]) => parts.join("; ");
  if (state === "paused") return say(`${period}, nothing renews while the plan is paused`, ...ends);
  if (pastDueSince !== null) return say(`overdue since ${day(pastDueSince)}`, ...planned, ...ends);
  if (state === "unpaid") return say("overdue", ...planned, ...ends);
  if (cancelsAt !== null && cancelsAt <= periodEndsAt) return `${dated(cancelsAt)}, then ends`;
  if (collection === "on-hold")
    return say(`${period}, nothing is charged while collection is on hold`, ...planned, ...ends);
  const [next] = planned;
  if (next !== undefined && (subscription.pendingAt ?? 0) <= periodEndsAt) return say(`${period}, ${next}`, ...ends);
  const renews = periodEndsAt < now ? "renewal not reported by Stripe yet" : "then renews";
  return say(`${period}, ${renews}`, ...planned, ...ends);
}

/** The change scheduled for the next period, unless the plan ends before. */
function plannedOf(product: Context["product"], subscription: SubscriptionFacts): string[] {
  const { pendingPlanId, pendingInterval, pendingAt, cancelsAt } = subscription;
  if (pendingPlanId === null || pendingAt === null || (cancelsAt ?? Infinity) <= pendingAt) return [];
  const interval = pendingInterval === null ? "" : ` by the ${pendingInterval}`;
  return [`then ${nameOf(product, pendingPlanId)}${interval}, from ${day(pendingAt)}`];
}

function nameOf({ plans }: Context["product"], planId: string): string {
  return plans.find(({ id }) => id === planId)?.name ?? planId;
}

/** What needs an operator's attention, most urgent first. */
function attentionOf({ now }: Context, subscription: SubscriptionFacts | null, facts: PersonFacts): string[] {
  const { account, orders, emails, withdrawals } = facts;
  const unanswered = withdrawals.filter(({ refundDueOn }) => refundDueOn !== null);
  const disputed = orders.filter(({ dispute }) => isDisputeOpen(dispute));
  const open = orders.filter(({ state }) => state === "failed" || state === "needs-action");
  const failed = emails.filter(({ state }) => state === "failed");
  return [
    ...unanswered.map(
      ({ number, refundDueOn }) => `withdrawal from ${number ?? "no order of ours"}: refund due by ${refundDueOn}`,
    ),
    ...facts.cancellations.flatMap((cancellation) => {
      const todo = whatToDoAbout(cancellation);
      return todo === null ? [] : [`cancellation ${cancellation.id}: ${todo}`];
    }),
    ...orders.flatMap((order) => {
      const todo = whatToDo(order, now);
      return todo === null ? [] : [`order ${orderNumber(order) ?? ""} wasn't paid as asked: ${todo}`];
    }),
    ...disputed.map(
      (order) =>
        `order ${orderNumber(order) ?? "without a number"}: dispute ${order.dispute}${order.disputeDueAt === null ? "" : ` by ${day(order.disputeDueAt)}`}`,
    ),
    ...facts.fraudWarnings.flatMap((warned) => {
      const todo = todoOfWarning(warned, warned.fraudType);
      const what = `order ${orderNumber(warned) ?? "without a number"}: its bank reports fraud`;
      return todo === null ? [] : [`${what} (${nameFraudType(warned.fraudType ?? "")}): ${todo}`];
    }),
    ...facts.subscriptions.flatMap((plan) => attentionOfPlan(plan, now)),
    ...facts.unclaimed.map(
      ({ providerId, planId, reason }) =>
        `${providerId} at Stripe has this address and ${planId}, and isn't this account's (${reason}): ${unclaimedTodo[reason]}`,
    ),
    ...(subscription !== null && subscription.collection === "on-hold" ? ["collection is on hold at Stripe"] : []),
    ...open.map((order) => `${order.kind} payment ${order.state}`),
    ...(failed.length > 0
      ? [`${failed.length} failed emails: ${failed.map(({ template }) => template).join(", ")}`]
      : []),
    ...(account.restorableUntil === null ? [] : [erasureOf(account.restorableUntil, withdrawals)]),
    ...facts.ofHooks.attention,
    ...undecidedOf(facts),
  ];
}

function attentionOfPlan(plan: SubscriptionFacts, now: number): string[] {
  const review = reviewOf(plan, now);
  const what = review && `${review.why}: ${review.todo}`;
  if (plan.endCause !== null) return what === null ? [] : [`plan of ${day(plan.endedAt ?? now)} ${what}`];
  if (plan.state === "active" || !keepingStates.includes(plan.state)) return [];
  return [`plan is ${plan.state}${what === null ? "" : `, ${what}`}`];
}

/** An open withdrawal postpones the erasure. */
function erasureOf(restorableUntil: number, withdrawals: PersonFacts["withdrawals"]): string {
  const isHeld = withdrawals.some(({ number, refundDueOn }) => number !== null && refundDueOn !== null);
  return `closed account: erased ${isHeld ? "once the withdrawal is refunded or contested, not before" : "on"} ${day(restorableUntil)}`;
}

/** What waits for a decision about them, by the id that the decision takes. */
function undecidedOf({ ofHooks, friends, broughtBy, discounts }: PersonFacts): string[] {
  const isUnderReview = ({ state }: { state: string }) => state === "under-review";
  const until = ({ waitsUntil }: Referral) =>
    waitsUntil === null ? "" : `, continues automatically on ${day(waitsUntil)}`;
  return [
    ...ofHooks.undecided,
    ...discounts
      .filter(isUnderReview)
      .map((discount) => `friend discount of ${formatMoney(discount, "en")} under review: ${discount.id}`),
    ...friends
      .filter(isUnderReview)
      .map((referral) => `referral of a friend under review: ${referral.id}${until(referral)}`),
    ...broughtBy
      .filter(isUnderReview)
      .map((referral) => `referral of this customer under review: ${referral.id}${until(referral)}`),
  ];
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
