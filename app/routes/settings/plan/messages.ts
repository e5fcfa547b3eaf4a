import type { RetryRefusal } from "#app/modules/checkout/commands/retry-payment.server.ts";
import type { RunSubscriptionActionRefusal } from "#app/modules/plan-changes/commands/run-subscription-action.server.ts";
import type { ReasonRefusal } from "#app/modules/subscriptions/commands/answer-cancellation-reason.server.ts";
import type { SubscriptionState } from "#app/modules/subscriptions/rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** `last`: about to be charged for the period that has begun. */
const lastPayment = (last: string | null) =>
  last ? ` You'll still be charged ${last} for the period that has just started.` : "";

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
  paused: {
    title: (plan: string) => `${plan} is paused`,
    text: (lockedMeans: string) =>
      `Your trial has ended and there's no card on file. You aren't being charged. ${lockedMeans}`,
    continueText: (plan: string) => `${plan} starts again as soon as you've paid.`,
    continueWith: (plan: string, price: string, per: string) => `Continue with ${plan} for ${price} ${per}`,
  },
  retired: {
    label: "No longer sold",
    text: "You keep it until you cancel it or change to another plan. You can't buy it again after that.",
    textEnding: "To stay on it, undo the cancellation before it ends. You can't buy it again after that.",
  },
  per: { month: "per month", year: "per year" },
  next: "Next payment",
  nextText: (amount: string, day: string) => `${amount} on ${day}`,
  onHold: "None: we've paused your payments",
  moneyBack: "Full refund",
  moneyBackText: (day: string) => `Withdraw until ${day}`,
  credit: "Your credit",
  creditText: (credit: string) => `${credit}, taken off your next payments`,
  carried: "Carried over",
  carriedText: (amount: string) => `${amount} from an earlier bill, added to your next payment`,
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
    status: "Withdrawal open",
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
  expiring: {
    title: "Your card expires before the next payment",
    text: (card: string, month: string, amount: string, day: string) =>
      `${card} is valid until ${month}, and ${amount} is due on ${day}.`,
    button: "Change card",
  },
  due: {
    title: (amount: string) => `We couldn't charge ${amount}`,
    titleProcessing: (amount: string) => `Your payment of ${amount} is being processed`,
    processing: "You don't have to do anything; please don't pay again.",
    titleConfirm: (amount: string) => `Confirm your payment of ${amount}`,
    grace: (day: string) =>
      `Everything works as usual until ${day}. If you haven't paid by then, your plan will be locked.`,
    locked: (lockedMeans: string) => `Your plan is locked. ${lockedMeans} Pay to unlock it.`,
    noGrace: (days: number) =>
      `It was locked immediately because an earlier renewal, less than ${days} days ago, was never paid.`,
    confirm: "Your bank needs you to confirm this payment.",
    next: (day: string) => `We'll try again automatically on ${day}.`,
    noNext: "We won't try again automatically.",
    pay: (amount: string, card: string | null) => (card ? `Pay ${amount} with ${card}` : `Pay ${amount} now`),
    paying: "Paying",
    toConfirm: "Confirm payment",
    otherCard: "If you change the card, we'll charge the new one immediately.",
  },
  undoing: "Undoing",
  open: {
    title: (plan: string) => `Your change to ${plan} isn't paid for`,
    processing: (plan: string) => `Your payment for ${plan} is being processed`,
    text: (plan: string) => `You stay on ${plan}, and nothing was charged.`,
    link: "See this payment",
    giveUp: "Cancel change",
    pending: "Cancelling",
  },
  cancel: {
    title: "Cancel your plan",
    /** `free`: the plan that follows; null: none. */
    text: (day: string, last: string | null, { product, free }: { product: string; free: string | null }) =>
      `If you cancel, your plan stays active until ${day} and won't renew. You can undo it until then.${lastPayment(last)} After that, ${free === null ? `you need a new plan to use ${product}` : `you're on ${free}`}.`,
    textWithdrawn: "Your plan ends when we refund you. To stop it renewing whatever the outcome, cancel it as well.",
    button: "Cancel plan",
    pending: "Cancelling",
  },
  endNow: {
    title: "End your plan",
    text: (free: string) => `If you end it, you move to ${free} immediately.`,
    textNoPlan: (product: string) => `If you end it, you need a new plan to use ${product}.`,
    open: "End plan now",
    dialog: (plan: string) => `End ${plan} now?`,
    warning: (plan: string, free: string) =>
      `${plan} ends immediately and can't be restored. You'll move to ${free} and won't be charged again.`,
    warningNoPlan: (plan: string, product: string) =>
      `${plan} ends immediately and can't be restored. You'll need a new plan to use ${product}, and you won't be charged again.`,
    unpaid: (amount: string) => `The unpaid ${amount} is cancelled.`,
    inProcess: "Your bank is processing a payment for your plan. You can end your plan here once that's finished.",
    graceUsed: (days: number) =>
      `You can start a plan again at any time. If a renewal fails within ${days} days of this failed payment, that plan is locked immediately.`,
    keep: "Keep my plan",
    button: "End it now",
    pending: "Ending",
  },
  resume: {
    title: (day: string) => `Your plan ends on ${day}`,
    text: (last: string | null, free: string | null) =>
      `You can use it until then.${lastPayment(last) || " You won't be charged again."}${free === null ? "" : ` After that, you're on ${free}.`}`,
    button: "Keep my plan",
    pending: "Undoing",
  },
  why: "Tell us why you left",
  trouble: "That didn't work",
  "too-many-retries": (times: number, wait: string) =>
    `You've tried to pay ${times} times within a day. You can try again in ${wait}. If you change the card, we'll charge the new one immediately.`,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing has changed. Try again in ${wait}.`,
};

export type PlanTexts = typeof en;
export const planMessages: Messages<PlanTexts> = { en };

export type PlanRefusal = RunSubscriptionActionRefusal | RetryRefusal | ReasonRefusal;
