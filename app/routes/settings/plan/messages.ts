import type { RetryRefusal } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import type { RunSubscriptionActionRefusal } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import type { ReasonRefusal } from "#app/modules/billing/subscriptions/commands/answer-cancellation-reason.server.ts";
import type { SubscriptionState } from "#app/modules/billing/subscriptions/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { OrderKind } from "#app/modules/billing/orders/rules.ts";
import { formatSpan } from "#app/core/time/time.ts";
import {
  reasonTakenMs,
  type CancellationReason,
  commentLengthMax,
} from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import type { PauseCause } from "#app/core/stripe/states.ts";
import { manualRetriesPerDayMax, retryWindowMs } from "#app/modules/billing/sync/retries.rules.ts";

const en = {
  title: "Plan",
  lead: (plan: string) => `You're on ${plan}.`,
  leadNoPlan: "You have no plan.",
  /** No paid plan is active, and the product has no free plan. */
  noPlan: {
    title: "No plan",
    text: (product: string) => `You need a plan to use ${product}.`,
    textAfter: (product: string) => `You need a plan to use ${product}. You can choose one again at any time.`,
    choose: "Choose a plan",
  },
  free: {
    title: (plan: string) => `${plan} – nothing to pay`,
    upgrade: "See plans",
    again: (plan: string) => `Start ${plan} again`,
  },
  per: { month: "per month", year: "per year" },
  next: "Next payment",
  nextText: (amount: string, day: string) => `${amount} on ${day}`,
  nextToday: (amount: string) => `${amount} today`,
  onHold: "None: we've paused your payments",
  moneyBack: "Right to withdraw",
  moneyBackText: (day: string) => `Until ${day}, with your money back`,
  credit: "Your credit",
  creditText: (credit: string) => `${credit}, taken off your next payment`,
  carried: "Carried over",
  carriedText: (amount: string) => `${amount} from an earlier bill, added to your next payment`,
  seePlan: "See your plan",
  payment: "Payment method",
  cardText: (card: string, expires: string) => `${card}, valid until ${expires}`,
  cardSoon: "Expires soon",
  cardExpired: "Expired",
  noCard: "Saved with Stripe",
  noWayToPay: "None",
  states: {
    active: "Active",
    "past-due-grace": "Payment failed",
    "past-due-locked": "Locked until you pay",
    incomplete: "Waiting for payment",
    unpaid: "Locked until you pay",
    paused: "Paused",
    ended: "Ended",
  } satisfies Record<SubscriptionState, string>,
  toConfirm: "Payment to confirm",
  withdrawal: {
    status: "Withdrawal in progress",
    title: "We've received your withdrawal",
    text: "Your plan ends when we refund you.",
    link: "See the order",
  },
  endsSoon: (day: string) => `Ends ${day}`,
  changesSoon: (day: string) => `Changes ${day}`,
  change: "Change plan",
  updateCard: "Change card",
  updateMethod: "Change payment method",
  addCard: "Add card",
  updatingCard: "One moment",
  portalAwaited: "Stripe hasn't confirmed your changes yet. Until it does, this page shows your previous card.",
  undoing: "Undoing",
  giveUpPending: "Cancelling",
  retired: "No longer sold",
  why: "Tell us why you cancelled",
  /** After the plan ended, whether or not its owner cancelled it. */
  whyLeft: "Tell us why you left",
  trouble: "That didn't work",
};

export type PlanTexts = typeof en;
export const planMessages: Messages<PlanTexts> = { en };

export type PlanRefusal = RunSubscriptionActionRefusal | RetryRefusal | ReasonRefusal;

const kinds = {
  "new-plan": "new plan",
  renewal: "renewal",
  change: "plan change",
} satisfies Record<OrderKind, string>;

const latestOrdersTexts = {
  title: "Latest payments",
  columns: { what: "Description", date: "Date", state: "Status", amount: "Amount" },
  what: (kind: OrderKind, plan: string) => `${plan} – ${kinds[kind]}`,
  numbered: (number: string) => `, ${number}`,
  all: "All orders and invoices",
};

export const latestOrdersMessages: Messages<typeof latestOrdersTexts> = { en: latestOrdersTexts };

/** Why nothing was done. Chosen on the server, so that the browser loads none of them. */
const planRefusalTexts: Record<Exclude<PlanRefusal["reason"], "too-many-retries" | "payment-unconfirmed">, string> = {
  "no-plan": "You don't have an active plan.",
  "cancelled-already": "Your plan is already cancelled. You can use it until it ends.",
  "not-cancelled": "Your plan isn't cancelled, so there's nothing to undo.",
  "nothing-cancelled": `You haven't cancelled a plan in the past ${formatSpan(reasonTakenMs)}.`,
  "nothing-planned": "There's no scheduled change to cancel.",
  "nothing-due": "There's nothing to pay.",
  "payment-in-process": "Your bank is still processing a payment. Try again once that's finished.",
  "not-on-sale": "Paid plans aren't available yet.",
  "provider-unreachable": "Stripe isn't responding at the moment. Nothing has changed. Try again in a minute.",
  "provider-refused": "Stripe didn't accept this. Nothing has changed. If it happens again, contact us.",
};

export const planRefusalMessages: Messages<typeof planRefusalTexts> = { en: planRefusalTexts };

/** For an unpaid renewal. As in this whole folder, the server chooses, so that browsers don't load what most plans don't need. */
const dueTexts = {
  title: (amount: string) => `We couldn't charge ${amount}`,
  titleProcessing: (amount: string) => `Your payment of ${amount} is being processed`,
  processing: "You don't have to do anything; please don't pay again.",
  titleConfirm: (amount: string) => `Confirm your payment of ${amount}`,
  grace: (day: string, lockedMeans: string) =>
    `Everything works as usual until ${day}. If you haven't paid by then, your plan will be locked. ${lockedMeans}`,
  locked: (lockedMeans: string) => `Your plan is locked. ${lockedMeans} Pay to unlock it.`,
  ends: (day: string) => `If you haven't paid by ${day}, your plan ends and you owe nothing for it.`,
  noGrace: (days: number) =>
    `It was locked immediately because an earlier renewal, less than ${days} days ago, was never paid.`,
  confirm: "Your bank needs you to confirm this payment.",
  next: (day: string) => `We'll try again automatically on ${day}.`,
  noNext: "We won't try again automatically.",
  toConfirm: "Confirm payment",
  see: "See this payment",
};

export const dueMessages: Messages<typeof dueTexts> = { en: dueTexts };

const askReasonTexts = {
  title: "Why did you cancel?",
  text: "Your answer helps us improve. It doesn't affect your cancellation.",
  legend: "Main reason",
  reasons: {
    "too-expensive": "It's too expensive",
    unused: "I don't use it enough",
    "feature-missing": "A feature is missing",
    unreliable: "It didn't work reliably",
    "other-product": "I've chosen another product",
    other: "Another reason",
  } satisfies Record<CancellationReason, string>,
  comment: "Anything else? (optional)",
  commentHint: `Up to ${commentLengthMax} characters.`,
  button: "Send answer",
  pending: "Sending",
  skip: "Skip",
};

/** Asked once a plan is cancelled or has ended. */
export const askReasonMessages: Messages<typeof askReasonTexts> = { en: askReasonTexts };

const problems = {
  "reason-missing": "Choose the main reason, or skip this question.",
  "comment-too-long": `Shorten your comment to ${commentLengthMax} characters.`,
  "comment-malformed": "Remove invisible characters from your comment.",
};

/** What is wrong with an answer. The browser has these; the question's texts come with the page that asks it. */
export const reasonProblemMessages: Messages<typeof problems> = { en: problems };

/** The server chooses these, so that browsers don't load what most plans don't need. */
const planAheadTexts = {
  ended: {
    other: (plan: string, day: string) => `${plan} ended on ${day}.`,
    unpaid: (plan: string, day: string) =>
      `${plan} ended on ${day} because your payment failed. You don't owe anything for it.`,
    duplicate: (plan: string, day: string) => `${plan} ended on ${day} because a newer plan took its place.`,
    refunded: (plan: string, day: string) => `${plan} ended on ${day} because we refunded your payment.`,
    withdrawn: (plan: string, day: string) => `${plan} ended on ${day} because you withdrew from the contract.`,
    returned: (plan: string, day: string) => `${plan} ended on ${day} because your bank returned the payment.`,
  },
  lost: {
    title: "Your plan ended because your payment failed",
    unusedReturned: "What you hadn't used of it went back to you.",
    payAndContinue: (plan: string) => `Pay and continue with ${plan}`,
  },
  /** What the free plan that follows has, as its card says. */
  includes: (plan: string, points: readonly string[]) => `${plan} includes: ${points.join(" · ")}.`,
  /** What is used beyond a plan. */
  excess: (plan: string, { label, used, limit }: { label: string; used: string; limit: string }) =>
    `${label}: ${used} now, ${limit} at most on ${plan}.`,
  pending: {
    title: (plan: string, day: string) => `${plan} from ${day}`,
    titleInterval: {
      month: (day: string) => `Monthly billing from ${day}`,
      year: (day: string) => `Yearly billing from ${day}`,
    },
    text: (now: string, price: string) => `You stay on ${now} until then. After that, you pay ${price}.`,
    textInterval: {
      month: (price: string) => `You've paid for the year until then. After that, you pay ${price}.`,
      year: (price: string) => `You've paid for the month until then. After that, you pay ${price}.`,
    },
    /** `change` is another plan that was chosen and isn't paid. */
    aside: (change: string, price: string) =>
      `This change stays scheduled, for ${price}, unless you pay for your change to ${change}.`,
  },
};

export const planAheadMessages: Messages<typeof planAheadTexts> = { en: planAheadTexts };

/** What some plans need: a paused one, one that isn't sold any more, a card that expires, too many attempts to pay. */
const planNoticesTexts = {
  paused: {
    title: (plan: string) => `${plan} is paused`,
    causes: {
      "trial-ended": "Your trial has ended and there's no card on file.",
      requested: "We've paused your plan.",
      "first-payment-failed": "A payment for it failed. You don't owe anything for it any more.",
      "final-payment-failed": "A payment for it failed. You don't owe anything for it any more.",
      disputed: "You've disputed a payment for it with your bank. It continues if your bank decides for us.",
      system: "Stripe, which handles our payments, has paused it.",
    } satisfies Record<PauseCause, string>,
    meanwhile: (lockedMeans: string) => `You aren't being charged, and your plan is locked. ${lockedMeans}`,
    ask: (support: string) => `To continue it, email ${support}.`,
    continueText: (plan: string) =>
      `${plan} starts again as soon as you've paid. Adding a card alone doesn't restart it or charge anything.`,
    continueWith: (plan: string, price: string, per: string) => `Continue with ${plan} for ${price} ${per}`,
  },
  retired: {
    text: "You keep it until you cancel it or change to another plan. You can't buy it again after that.",
    textEnding: "To stay on it, keep your plan before it ends. You can't buy it again after that.",
  },
  openChange: {
    title: (plan: string) => `Your change to ${plan} isn't paid for`,
    processing: (plan: string) => `Your payment for ${plan} is being processed`,
    text: (plan: string) => `You stay on ${plan}, and nothing was charged.`,
    link: "See this payment",
    giveUp: "Cancel change",
    pending: "Cancelling",
  },
  expiring: {
    title: "Your card expires before the next payment",
    text: (card: string, month: string, amount: string, day: string) =>
      `${card} is valid until ${month}, and ${amount} is due on ${day}.`,
  },
  "too-many-retries": (wait: string) =>
    `You've tried to pay ${manualRetriesPerDayMax} times within ${formatSpan(retryWindowMs)}. You can try again in ${wait}. If you change the card, we'll charge the new one immediately.`,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing has changed. Try again in ${wait}.`,
};

export const planNoticesMessages: Messages<typeof planNoticesTexts> = { en: planNoticesTexts };

/** What is still charged after the cancellation: for the period that has begun, or by a debit that the bank is processing. */
export type LastCharge = { amount: string; isInProcess: boolean };

const charges = (last: LastCharge | null): string => {
  if (last === null) return "We won't charge you again.";
  return last.isInProcess
    ? `We'll still charge the ${last.amount} that your bank is processing, and nothing after that.`
    : `We'll still charge ${last.amount} for the period that has just started, and nothing after that.`;
};

const endingTexts = {
  cancel: {
    title: "Cancel your plan",
    /** `free` is the plan that follows, if there is one. */
    text: (day: string, last: LastCharge | null, { product, free }: { product: string; free: string | null }) =>
      `Your plan stays active until ${day}, and you can undo the cancellation until then. After that, ${free === null ? `you need a new plan to use ${product}` : `you'll be on ${free}`}. ${charges(last)}`,
    /** For a renewed year that can be ended with a month's notice. */
    notice: (day: string, { product, free }: { product: string; free: string | null }) =>
      `Your plan was renewed for a year, and you can end it with a month's notice. It stays active until ${day}, and you can undo the cancellation until then. After that, ${free === null ? `you need a new plan to use ${product}` : `you'll be on ${free}`}, and we refund what you've paid for the rest of the year. We won't charge you again.`,
    textWithdrawn: (day: string) =>
      `Your plan ends when we refund you. If we can't accept your withdrawal, your plan renews on ${day}, unless you also cancel here.`,
    button: "Cancel plan",
    pending: "Cancelling",
  },
  endNow: {
    title: "End your plan",
    text: (free: string) => `If you end your plan, you move to ${free} immediately.`,
    textNoPlan: (product: string) => `If you end your plan, you need a new plan to use ${product}.`,
    open: "End plan now",
    dialog: (plan: string) => `End ${plan} now?`,
    warning: (plan: string, free: string) =>
      `${plan} ends immediately and can't be restored. You'll move to ${free}, and there's nothing more to pay.`,
    warningNoPlan: (plan: string, product: string) =>
      `${plan} ends immediately and can't be restored. You'll need a new plan to use ${product}, and there's nothing more to pay.`,
    unpaid: (amount: string) => `The unpaid ${amount} is cancelled.`,
    inProcess: "Your bank is processing a payment for your plan. You can end your plan here once that's finished.",
    graceUsed: (days: number, grace: number) =>
      `You can start a plan again at any time. If one of its renewals fails within the next ${days} days, we lock it immediately, without the usual ${grace} days to pay.`,
    keep: "Keep my plan",
    button: "End it now",
    pending: "Ending",
  },
  resume: {
    title: (day: string) => `Your plan ends on ${day}`,
    text: (last: LastCharge | null, free: string | null) =>
      `You can use it until then.${free === null ? "" : ` After that, you'll be on ${free}.`} ${charges(last)}`,
    /** For a renewed year that ends early, by a month's notice. */
    notice: (free: string | null) =>
      `You can use it until then. After that, ${free === null ? "" : `you'll be on ${free}, and `}we refund what you've paid for the rest of the year. We won't charge you again.`,
    /** While a withdrawal is open, whose refund ends the plan. */
    titleWithdrawn: "You've also cancelled your plan",
    textWithdrawn: (day: string) => `If we can't accept your withdrawal, your plan ends on ${day} and isn't renewed.`,
    buttonWithdrawn: "Undo the cancellation",
    button: "Keep my plan",
    pending: "Undoing",
  },
};

export const endingMessages: Messages<typeof endingTexts> = { en: endingTexts };
