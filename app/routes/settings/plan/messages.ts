import type { RetryRefusal } from "#app/modules/checkout/commands/retry-payment.server.ts";
import type { OrderKind } from "#app/modules/orders/rules.ts";
import type { RunPlanActionRefusal } from "#app/modules/plan-changes/commands/run-plan-action.server.ts";
import type { SubscriptionState } from "#app/modules/subscriptions/rules.ts";
import type { Messages } from "#app/core/messages.ts";

const kinds = { "new-plan": "start", renewal: "renewal", change: "change" } satisfies Record<OrderKind, string>;

/** `last`: about to be charged for the period that has begun. */
const payNothing = (last: string | null) =>
  last ? `pay nothing after the ${last} for the period that has just begun` : "pay nothing more";

const en = {
  title: "Plan",
  lead: (plan: string) => `You are on ${plan}.`,
  leadNoPlan: "You have no plan.",
  /** No paid plan is active, and the product has no free plan. */
  noPlan: {
    title: "No plan",
    text: (product: string) => `You need a plan to use ${product}.`,
    textAfter: (product: string) => `You need a plan to use ${product}. You can choose one again at any time.`,
    choose: "Choose a plan",
  },
  free: {
    title: (plan: string) => `${plan}, nothing to pay`,
    ended: (plan: string, day: string) => `${plan} ended on ${day}. Nothing more is charged for it.`,
    text: (plan: string, hint: string) => `You're on ${plan} for as long as you like. ${hint}`,
    textAfter: (plan: string, hint: string) => `You're on ${plan} now, for as long as you like. ${hint}`,
    upgrade: "See the plans",
  },
  starting: {
    title: (plan: string) => `${plan} starts when the money is here`,
    text: "Your bank is working on it. There is nothing more to do.",
    link: "See this payment",
  },
  unfinished: {
    title: (plan: string) => `Your payment for ${plan} is not finished`,
    text: (plan: string) => `${plan} starts with it. You can go on where you stopped, or choose again.`,
    link: "Finish this payment",
  },
  declined: {
    title: (plan: string) => `Your payment for ${plan} didn't go through`,
    link: "Try again",
  },
  paused: {
    title: (plan: string) => `${plan} is paused`,
    text: (lockedMeans: string) =>
      `Your trial has ended, and there's no payment method on file. Nothing is charged. ${lockedMeans}`,
    goOnText: (plan: string) =>
      `${plan} starts again as soon as you've paid. Until then your paused plan stays as it is.`,
    goOn: (plan: string, price: string, per: string) => `Continue with ${plan} for ${price} ${per}`,
  },
  card: "Your plan",
  plan: "Plan",
  retired: {
    label: "no longer sold",
    text: "You keep it until you cancel it or change to another plan. You can't buy it again after that.",
    textEnding: "Keep it before it ends if you want to stay on it: you can't buy it again after that.",
  },
  price: "Price",
  state: "State",
  per: { month: "a month", year: "a year" },
  next: "Next charge",
  nextText: (amount: string, day: string) => `${amount} on ${day}`,
  onHold: "none at the moment: we have put the charges for your plan on hold",
  credit: "Your credit",
  creditText: (credit: string) => `${credit}, taken off the next charges`,
  carried: "Carried over",
  carriedText: (amount: string) =>
    `${amount} from an earlier charge that was too small to be collected alone; the next one has it in it`,
  ends: "Ends",
  since: "Since",
  payment: "Paid by",
  cardText: (brand: string, last4: string, expires: string) => `${brand} ending in ${last4}, valid until ${expires}`,
  cardSoon: "runs out soon",
  cardExpired: "has run out",
  noCard: "kept with Stripe",
  noWayToPay: "nothing so far",
  states: {
    active: "running",
    "past-due-grace": "payment failed, access goes on for now",
    "past-due-locked": "locked until the payment is made",
    incomplete: "waiting for the payment",
    unpaid: "locked until the payment is made",
    paused: "paused",
    ended: "ended",
  } satisfies Record<SubscriptionState, string>,
  endsSoon: (day: string) => `Cancels ${day}`,
  changesSoon: "changes with its period",
  change: "Change plan",
  updateCard: "Change card or billing details",
  updatingCard: "One moment",
  portalAwaited:
    "Stripe hasn't confirmed your changes yet. Your card is shown as we last knew it, and updates once Stripe answers.",
  expiring: {
    title: "Your card expires before the next payment",
    text: (card: string, month: string, amount: string, day: string) =>
      `${card} is valid until ${month}, and ${amount} is due on ${day}.`,
    button: "Update card",
  },
  due: {
    title: (amount: string) => `${amount} could not be collected`,
    titleProcessing: (amount: string) => `${amount} is on its way`,
    processing: "Your bank is working on the payment. You don't need to do anything; please don't pay again.",
    titleConfirm: (amount: string) => `${amount} is waiting for your confirmation`,
    grace: (day: string) => `Everything works until ${day}. Pay before then, and nothing changes.`,
    locked: (lockedMeans: string) => `Your plan is locked. ${lockedMeans} It opens again as soon as this is paid.`,
    noGrace: (days: number) =>
      `It is locked at once because an earlier renewal, less than ${days} days ago, was never paid.`,
    confirm: "Your bank wants to hear from you before it pays.",
    next: (day: string) => `We try again by ourselves on ${day}.`,
    noNext: "We don't try again by ourselves.",
    pay: (amount: string, card: string | null) => (card ? `Pay ${amount} with ${card}` : `Pay ${amount} now`),
    paying: "Asking your bank",
    toConfirm: "Go on to the confirmation",
    card: "Change card",
  },
  pending: {
    title: (plan: string, day: string) => `${plan} from ${day}`,
    text: (now: string, price: string, per: string) =>
      `Until then ${now} goes on as it is. After that it is ${price} ${per}.`,
    aside: (change: string, price: string, per: string) =>
      `This stays planned while your change to ${change} is not paid, and costs ${price} ${per} then. Once that is paid, it does not happen.`,
    undo: (plan: string) => `Keep ${plan}`,
    pending: "Taking it back",
  },
  open: {
    title: (plan: string) => `Your change to ${plan} is not paid`,
    processing: (plan: string) => `Your change to ${plan} is on its way`,
    text: (plan: string) => `${plan} goes on as it is, and nothing was charged.`,
    link: "See this payment",
    giveUp: "Give the change up",
    pending: "Giving it up",
  },
  cancel: {
    title: "Cancel your plan",
    /** `lostProduct`: what can't be used without a plan; null: the free plan follows. */
    text: (day: string, last: string | null, lostProduct: string | null) =>
      `It then ends on ${day}. You keep everything until then, and ${payNothing(last)}. ${lostProduct === null ? "" : `After that day, you can't use ${lostProduct} without a new plan. `}You can take it back until that day.`,
    button: "Cancel at the end of the period",
    pending: "Cancelling",
  },
  endNow: {
    title: "Cancel your plan",
    text: (free: string) => `It ends immediately, and you're on ${free} from then on.`,
    textNoPlan: (product: string) => `It ends immediately, and you can't use ${product} without a new plan.`,
    open: "End plan now",
    dialog: (plan: string) => `End ${plan} now?`,
    warning: (plan: string, free: string) =>
      `${plan} ends immediately and can't be restored. You'll be on ${free}, and nothing more is charged.`,
    warningNoPlan: (plan: string, product: string) =>
      `${plan} ends immediately and can't be restored. You can't use ${product} without a new plan, and nothing more is charged.`,
    unpaid: (amount: string) => `The unpaid ${amount} is cancelled.`,
    inProcess: "Your bank is working on a payment for your plan. You can end it here once that payment is decided.",
    graceUsed: (days: number) =>
      `You can choose a plan again at any time. If a renewal fails again within ${days} days of this one, the plan is locked at once until it is paid.`,
    keep: "Keep my plan",
    button: "End it now",
    pending: "Ending",
  },
  resume: {
    title: (day: string) => `It ends on ${day}`,
    text: (last: string | null) => `Until then you keep everything, and you ${payNothing(last)}.`,
    button: "Keep my plan",
    pending: "Taking it back",
    why: "If you would like to tell us why, it helps us, and changes nothing:",
    write: "write to us",
    subject: (plan: string) => `Why I cancel ${plan}`,
  },
  charges: {
    title: "Charges",
    columns: { what: "What", date: "Date", state: "State", amount: "Amount", open: "" },
    what: (kind: OrderKind, plan: string) => `${plan}, ${kinds[kind]}`,
    open: "Details",
    all: "All orders and receipts",
  },
  trouble: "That did not go through",
  "too-many-retries": (times: number, wait: string) =>
    `You've tried to pay ${times} times within a day. You can try again in ${wait}. If you change the card, we charge the new one at once.`,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing has changed. Try again in ${wait}.`,
  refusals: {
    "no-plan": "You have no running plan.",
    "cancelled-already": "Your plan is already cancelled, and ends with its period.",
    "not-cancelled": "Your plan is not cancelled: it goes on.",
    "nothing-planned": "Nothing is going to change any more.",
    "nothing-due": "There is nothing to pay.",
    "payment-in-process": "Your bank is working on a payment of yours. Wait until it is through.",
    "not-on-sale": "Paid plans are not on sale yet.",
    "provider-unreachable":
      "The payment service does not answer at the moment. Nothing has changed. Try again in a minute.",
    "provider-refused":
      "The payment service did not accept this. Nothing has changed. If it happens again, write to us.",
  } satisfies Record<Exclude<PlanRefusal["reason"], "too-many-retries" | "payment-unconfirmed">, string>,
};

export type PlanTexts = typeof en;
export const planMessages: Messages<PlanTexts> = { en };

export type PlanRefusal = RunPlanActionRefusal | RetryRefusal;
