import type { StartChangeRefusal } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Change plan",
  lead: (plan: string) => `You are on ${plan}.`,
  titleNoPlan: "Choose a plan",
  leadNoPlan: "You have no plan.",
  switchLabel: "Pay by the month or by the year",
  month: "Monthly",
  year: "Yearly",
  yearNote: (months: number) => (months === 0 ? undefined : `${months} ${months === 1 ? "month" : "months"} free`),
  perMonth: "a month",
  perYear: "a year",
  forever: "for as long as you like",
  saving: (amount: string, perMonth: string) => `${amount} less than monthly, ${perMonth} a month`,
  yours: "how you pay now",
  current: "Your plan",
  currentUntil: (day: string) => `Your plan until ${day}`,
  begins: (day: string) => `Begins on ${day}`,
  keep: (plan: string) => `Keep ${plan}`,
  choose: (plan: string) => `Choose ${plan}`,
  goOn: (plan: string) => `Continue with ${plan}`,
  change: (plan: string) => `Change to ${plan}`,
  changeInterval: { month: "Change to monthly", year: "Change to yearly" },
  waitlist: "Join the waitlist",
  waitlistChip: "Waitlist",
  waitlistFull: "By invitation; the waitlist is full at the moment.",
  invitedChip: "You are invited",
  notOnSale: "Not on sale yet",
  confirm: {
    title: (plan: string) => `Start ${plan}`,
    titleAgain: (plan: string) => `Continue with ${plan}`,
    lead: "This is what happens when you go on.",
    now: "Charged now",
    friend: "Friend discount",
    friendText: (amount: string, isReviewed: boolean) =>
      [
        `${amount} goes back to the payment method you use, once the payment has arrived and if it's your first: neither your mailbox nor the payment method has been used by another account.`,
        ...(isReviewed ? ["We're checking your sign-up first, which takes a week at most."] : []),
      ].join(" "),
    credit: "Your credit",
    creditText: (amount: string) => `${amount} of this payment`,
    carried: "Carried over",
    carriedFrom: (amount: string) => `${amount} from an earlier charge that was too small to be collected alone`,
    carriedTo: (amount: string) => `${amount} is too little to be collected alone, and comes with the next charge`,
    then: "Then",
    thenText: (amount: string, per: string, day: string) => `${amount} ${per} from ${day}, until you cancel`,
    tax: "Tax",
    taxText: "included",
    replaces: "Replaces",
    replacesText: (plan: string) => `your paused ${plan} plan, which ends once this is paid`,
    get: "You get",
    submit: (plan: string, price: string, per: string) => `Start ${plan} for ${price} ${per}`,
    submitNow: (plan: string, now: string) => `Start ${plan} and pay ${now} now`,
    pending: "Opening the payment page",
    note: "The payment page belongs to Stripe. Your card never touches our servers.",
    back: "Choose another plan",
  },
  open: {
    change: (plan: string) => `Your change to ${plan} is not paid yet`,
    start: (plan: string) => `Your payment for ${plan} is not finished`,
    processing: (plan: string) => `Your payment for ${plan} is on its way`,
    text: "When you go on with another one, it takes its place.",
    processingText: "Your bank is working on it. There is nothing more to do.",
    link: "See that payment",
  },
  trouble: "That did not go through",
  notNow: "You can't choose this plan at the moment",
  blocked: "Your plan can't be changed at the moment",
  wayOn: {
    plan: "Go to your plan",
    payment: "See that payment",
    again: "Try again",
    email: "Change your email address",
  },
  refusals: {
    "account-leaving": "This account is closed. Restore it first; then you can choose a plan.",
    "plan-unknown": "There is no such plan any more. Choose one of these.",
    "plan-retired": "That plan isn't sold any more. Choose one of these.",
    "interval-not-sold": "That plan isn't sold for this payment period. Choose the other one, or another plan.",
    "plan-is-free": "That plan needs no payment. To go back to it, cancel your plan on the plan page.",
    "plan-behind-gate":
      "This plan is open to invited people only. Join the waitlist, and we write when it is your turn.",
    "not-on-sale": "Paid plans are not on sale yet.",
    "quote-moved":
      "What you saw is no longer what it costs, or it was too long ago. Here is today's offer; nothing was charged.",
    "same-plan": "That is the plan you are on.",
    "plan-ends": "Your plan is cancelled. Keep it first, on the plan page; then you can change it.",
    "cancelled-already": "Your plan is already cancelled, and ends with its period.",
    "not-cancelled": "Your plan is not cancelled: it goes on.",
    "nothing-planned": "Nothing is going to change any more.",
    "change-begins":
      "What you planned begins within a day. Take that back first, on the plan page; then you can change the plan.",
    "payment-due": "A payment of your plan is due. Pay it first, on the plan page; then you can change the plan.",
    "plan-paused": "Your plan is paused. The plan page says how it goes on.",
    "charges-on-hold":
      "We have put the charges for your plan on hold, so a change of it can't be charged. Write to us when you would like one.",
    "no-plan": "You have no running plan. Choose one of these.",
    "subscribed-already": "You already have a running plan.",
    "payment-in-process": "A payment of yours is already on its way. Wait for it before you start another.",
    "payment-unconfirmed":
      "Your last payment is being confirmed: we're waiting for Stripe to tell us about it. Please don't pay again.",
    "provider-unreachable":
      "The payment service does not answer at the moment. Nothing was charged. Try again in a minute; you will not pay twice.",
    "provider-refused":
      "The payment service did not accept this. Nothing was charged. If it happens again, write to us.",
    "email-refused":
      "Stripe, which takes the payment, doesn't accept your email address. Nothing was charged. Change the address in your settings, then choose the plan again.",
    "amount-too-small":
      "What is left to pay is less than the smallest amount that Stripe charges. Nothing was charged. Choose the other payment period or another plan.",
  } satisfies Record<Exclude<OfferRefusal["reason"], "too-many-requests">, string>,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing was charged, and your choice is kept. Try again in ${wait}.`,
  problems: {
    "plan-missing": "Choose a plan.",
    "plan-unknown": "There is no such plan.",
    "interval-unknown": "Choose monthly or yearly.",
    "quote-malformed": "This page is damaged. Load it again.",
  },
};

export type UpgradeTexts = typeof en;
export const upgradeMessages: Messages<UpgradeTexts> = { en };

/** Why a plan can't be started, changed or ended. */
export type OfferRefusal = StartChangeRefusal;

/** The response's status: a conflict with the current state, or an unavailable third-party service. */
export const offerRefusalStatus = {
  "plan-unknown": 422,
  "plan-retired": 422,
  "interval-not-sold": 422,
  "plan-is-free": 422,
  "account-leaving": 409,
  "plan-behind-gate": 409,
  "not-on-sale": 409,
  "too-many-requests": 429,
  "quote-moved": 409,
  "same-plan": 409,
  "plan-ends": 409,
  "change-begins": 409,
  "payment-due": 409,
  "plan-paused": 409,
  "charges-on-hold": 409,
  "no-plan": 409,
  "cancelled-already": 409,
  "not-cancelled": 409,
  "nothing-planned": 409,
  "subscribed-already": 409,
  "payment-in-process": 409,
  "payment-unconfirmed": 409,
  "provider-unreachable": 503,
  "provider-refused": 503,
  "email-refused": 422,
  "amount-too-small": 422,
} satisfies Record<OfferRefusal["reason"], number>;
