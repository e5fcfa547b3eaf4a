import { formatSpan } from "#app/core/time/time.ts";
import { reviewMs } from "#app/modules/referrals/eligibility.rules.ts";
import type { StartChangeRefusal } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import type { Messages } from "#app/core/messages.ts";
import { deferralMs } from "#app/modules/billing/subscriptions/change.rules.ts";

const en = {
  title: "Change plan",
  lead: (plan: string) => `You're on ${plan}.`,
  titleNoPlan: "Choose a plan",
  leadNoPlan: "You have no plan.",
  switchLabel: "Pay monthly or yearly",
  month: "Monthly",
  year: "Yearly",
  yearNote: (months: number) => (months === 0 ? undefined : `${months} ${months === 1 ? "month" : "months"} free`),
  perMonth: "per month",
  perYear: "per year",
  forever: "forever",
  saving: (amount: string, perMonth: string) => `${perMonth} per month – save ${amount} a year`,
  yours: "Current",
  current: "Your plan",
  currentUntil: (day: string) => `Until ${day}`,
  begins: (day: string) => `Starts on ${day}`,
  keep: (plan: string) => `Keep ${plan}`,
  keepInterval: { month: "Keep monthly billing", year: "Keep yearly billing" },
  choose: (plan: string) => `Choose ${plan}`,
  continueWith: (plan: string) => `Continue with ${plan}`,
  change: (plan: string) => `Change to ${plan}`,
  changeInterval: { month: "Change to monthly", year: "Change to yearly" },
  invitedChip: "You're invited",
  notOnSale: "Coming soon",
  unsold: "Not on sale right now: its price is being updated.",
  confirm: {
    title: (plan: string) => `Start ${plan}`,
    titleAgain: (plan: string) => `Continue with ${plan}`,
    lead: "Review your order. Nothing has been charged yet.",
    card: "Your order",
    now: "Due today",
    friend: "Friend discount",
    friendText: (amount: string, isUnderReview: boolean) =>
      [
        `If you're a new customer, we'll refund ${amount} once your payment arrives. New means that no other account has used your email address or payment method.`,
        ...(isUnderReview ? [`We're checking your sign-up first, which takes ${formatSpan(reviewMs)} at most.`] : []),
      ].join(" "),
    credit: "Your credit",
    creditText: (amount: string) => `${amount} taken off this payment`,
    carried: "Carried over",
    carriedFrom: (amount: string) => `${amount} from an earlier bill that was too small to charge on its own`,
    carriedTo: (amount: string) => `${amount} is too small to charge on its own, so it's added to your next payment`,
    then: "Then",
    thenText: (amount: string, per: string, day: string) => `${amount} ${per} from ${day}, until you cancel`,
    tax: "Tax",
    taxText: "Included",
    replaces: "Replaces",
    replacesText: (plan: string) => `Your paused ${plan} plan, which ends once you've paid`,
    get: "You get",
    submit: (plan: string, price: string, per: string) => `Start ${plan} for ${price} ${per}`,
    submitAgain: (plan: string, price: string, per: string) => `Continue with ${plan} for ${price} ${per}`,
    submitNow: (plan: string, now: string) => `Start ${plan} and pay ${now} now`,
    pending: "Opening checkout",
    note: "You'll pay on Stripe. We never see your card number.",
    refund: (days: number) => `If you change your mind, you can get a full refund within ${days} days.`,
    back: "Choose another plan",
  },
  withdrawn: {
    status: "Withdrawal in progress",
    title: "You've withdrawn from your contract",
    text: "Your plan ends when we refund you, so you can't change plans.",
  },
  trouble: "That didn't work",
  notNow: "You can't choose this plan at the moment",
  blocked: "Your plan can't be changed at the moment",
  blockedByEnd: (day: string) => `Your plan ends on ${day}`,
  blockedByDue: "Pay your renewal first",
  wayOn: {
    plan: "Go to your plan",
    payment: "See that payment",
    again: "Try again",
    keep: "Keep my plan",
    keeping: "Undoing",
    email: "Change your email address",
  },
  problems: {
    "plan-missing": "Choose a plan.",
    "plan-unknown": "That plan doesn't exist. Choose another one.",
    "interval-unknown": "Choose monthly or yearly.",
    "quote-malformed": "Something on this page is out of date. Reload it and try again.",
  },
};

export type UpgradeTexts = typeof en;
export const upgradeMessages: Messages<UpgradeTexts> = { en };

export type OfferRefusal = StartChangeRefusal;

/** The response's status: a conflict with the current state, or an unavailable third-party service. */
export const offerRefusalStatus = {
  "plan-unknown": 422,
  "plan-retired": 422,
  "interval-not-sold": 422,
  "plan-is-free": 422,
  "account-closed": 409,
  "plan-behind-gate": 409,
  "not-on-sale": 409,
  "price-differs": 409,
  "too-many-requests": 429,
  "quote-moved": 409,
  "same-plan": 409,
  "plan-ends": 409,
  "change-begins": 409,
  "payment-due": 409,
  "plan-paused": 409,
  "plan-disputed": 409,
  "charges-on-hold": 409,
  "no-plan": 409,
  "plan-withdrawn": 409,
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

/** An unpaid choice, and what a friend's invitation brings to a first one. The server chooses the texts. */
const openChoiceTexts = {
  change: (plan: string) => `Your change to ${plan} isn't paid for yet`,
  start: (plan: string) => `You have an unfinished payment for ${plan}`,
  processing: (plan: string) => `Your payment for ${plan} is being processed`,
  text: "If you choose another plan, we cancel that payment, so you never pay twice.",
  processingText: "You don't have to do anything.",
  link: "See the payment",
  friend: (amount: string) => `A friend invited you: we'll refund ${amount} of your first payment.`,
};

export const openChoiceMessages: Messages<typeof openChoiceTexts> = { en: openChoiceTexts };

/** Why an immediate change is scheduled instead. Chosen on the server. */
const nextPeriodTexts = {
  "payment-method": {
    title: "This change starts with your next period",
    text: (day: string) =>
      `To change immediately, your plan must be paid by card or another instant method, such as Link or PayPal. Yours isn't, so the change starts on ${day}. Nothing is charged before then.`,
    card: "To change today, add a card first. You'll come back here to confirm.",
    button: "Add a card",
    pending: "Opening the card page",
  },
  "collection-method": {
    title: "This change starts with your next period",
    text: (day: string) => `You pay for your plan by invoice, so the change starts on ${day}.`,
  },
  "renewal-unpaid": {
    title: "This change starts with your next period",
    text: (day: string) =>
      `The payment for your current period hasn't arrived yet, so the change starts on ${day} and costs nothing before then. If you'd like to change sooner, come back once it has arrived.`,
  },
};

export const nextPeriodMessages: Messages<typeof nextPeriodTexts> = { en: nextPeriodTexts };

/** Why a plan can't be had. Chosen on the server, so that the browser loads none of them. */
const offerRefusalTexts = {
  refusals: {
    "account-closed": "Your account is closed. Restore it first, then you can choose a plan.",
    "plan-unknown": "That plan no longer exists. Choose one of these.",
    "plan-retired": "That plan is no longer sold. Choose one of these.",
    "interval-not-sold": "That plan isn't sold for this billing period. Choose the other period, or another plan.",
    "plan-is-free": "That plan is free. To go back to it, cancel your plan on the plan page.",
    "plan-behind-gate":
      "This plan is by invitation only for now. Ask for one below, and we'll email you when it's your turn.",
    "not-on-sale": "Paid plans aren't available yet.",
    "price-differs":
      "This plan isn't on sale right now, because its price is being updated. Nothing was charged. Try again later; your choice is kept.",
    "quote-moved": "That price has changed or expired. Here's the current one; nothing was charged.",
    "same-plan": "You're already on that plan.",
    "plan-ends": "You've cancelled your plan. Keep it first, then you can change to another one.",
    "plan-withdrawn": "You've withdrawn from this plan, so it can't be changed. It ends when we refund you.",
    "cancelled-already": "Your plan is already cancelled. You can use it until it ends.",
    "not-cancelled": "Your plan isn't cancelled, so there's nothing to undo.",
    "nothing-planned": "There's no scheduled change to cancel.",
    "change-begins": `Your scheduled change starts in less than ${formatSpan(deferralMs)}. Undo it on the plan page to change plans.`,
    "payment-due": "Once your latest renewal is paid, you can change to another paid plan.",
    "plan-paused": "Your plan is paused. Go to the plan page to continue it.",
    "plan-disputed":
      "A payment for your plan is disputed, and your bank hasn't decided yet. You can choose another plan once it has.",
    "charges-on-hold":
      "We've paused payments for your plan, so you can't change to another paid plan here. Contact us if you'd like to.",
    "no-plan": "You don't have an active plan. Choose one of these.",
    "subscribed-already": "You already have an active plan.",
    "payment-in-process": "Another payment is already being processed. Wait until it's finished.",
    "payment-unconfirmed": "Your last payment is being confirmed: we're waiting for Stripe. Please don't pay again.",
    "provider-unreachable":
      "Stripe isn't responding at the moment. Nothing was charged. Try again in a minute; you won't pay twice.",
    "provider-refused": "Stripe didn't accept this. Nothing was charged. If it happens again, contact us.",
    "email-refused":
      "Stripe doesn't accept your email address. Nothing was charged. Change your address, then choose the plan again.",
    "amount-too-small":
      "The amount left to pay is below Stripe's minimum. Nothing was charged. Choose the other billing period or another plan.",
  } satisfies Record<Exclude<OfferRefusal["reason"], "too-many-requests">, string>,
  "too-many-requests": (wait: string) =>
    `You've made many requests in a short time. Nothing was charged. Try again in ${wait}.`,
};

export const offerRefusalMessages: Messages<typeof offerRefusalTexts> = { en: offerRefusalTexts };

const changeTexts = {
  title: (plan: string) => `Change to ${plan}`,
  titleYearly: "Change to yearly billing",
  titleMonthly: "Change to monthly billing",
  titleStay: (plan: string) => `Keep ${plan}`,
  lead: "Check the details. Nothing has changed yet.",
  sum: "Due today",
  then: "What happens next",
  unused: (plan: string) => `Unused time on ${plan}`,
  remaining: (plan: string, until: string) => `${plan} until ${until}`,
  discount: "Discount",
  credit: "Credit used",
  credited: "Added to your credit",
  earlier: "Carried over from an earlier payment",
  later: "Too small to charge on its own: carried over to your next payment",
  tax: "Tax included",
  total: "Total",
  nothing: "Nothing",
  /** Names the renewal that is about to be charged. */
  nothingBut: (amount: string, day: string, isToday: boolean) =>
    `Nothing for this change. Your usual renewal of ${amount} is charged ${isToday ? "today" : `on ${day}`}.`,
  card: "Payment method",
  begins: "Starts",
  atOnce: "As soon as you've paid",
  beginsText: (day: string, plan: string) => `On ${day}. You stay on ${plan} until then.`,
  beginsTextInterval: {
    month: (day: string) => `On ${day}. You keep yearly billing until then.`,
    year: (day: string) => `On ${day}. You keep monthly billing until then.`,
  },
  next: "Next payment",
  nextText: (amount: string, day: string) => `${amount} on ${day}`,
  nextWithCredit: (credit: string) => `, after ${credit} of your credit`,
  nextWithCarried: (carried: string) => `, including ${carried} carried over from an earlier payment`,
  nextWithDiscount: ", minus any discount your plan has by then",
  instead: "Replaces",
  insteadText: (plan: string, day: string) => `${plan} from ${day}`,
  insteadTextInterval: {
    month: (day: string) => `Monthly billing from ${day}`,
    year: (day: string) => `Yearly billing from ${day}`,
  },
  ends: (plan: string) => `${plan} ends`,
  endsText: (day: string, refundsRest: boolean) =>
    `On ${day}.${refundsRest ? " We then refund what you've paid for the rest of the year." : ""} You can undo this change until then.`,
  endsNow: (isOwed: boolean) =>
    isOwed
      ? "Now. You won't be charged again, and the overdue renewal is cancelled."
      : "Now. You won't be charged again.",
  get: "You get",
  keep: "You keep",
  willHave: "You'll have",
  lost: "Instead of",
  data: "Your data",
  excess: (plan: string) => `Over the limits of ${plan}`,
  per: { month: "per month", year: "per year" },
  submitNow: (plan: string, amount: string) => `Change to ${plan} and pay ${amount} now`,
  submitInterval: {
    month: (amount: string) => `Change to monthly and pay ${amount} now`,
    year: (amount: string) => `Change to yearly and pay ${amount} now`,
  },
  submitIntervalLater: {
    month: (price: string, day: string) => `Change to monthly for ${price} per month from ${day}`,
    year: (price: string, day: string) => `Change to yearly for ${price} per year from ${day}`,
  },
  submitLater: (plan: string, price: string, per: string, day: string) =>
    `Change to ${plan} for ${price} ${per} from ${day}`,
  submitStay: (plan: string, price: string, per: string) => `Keep ${plan} for ${price} ${per}`,
  submitEnd: (plan: string, day: string) => `Change to ${plan} on ${day}`,
  submitEndNow: (plan: string) => `Change to ${plan} now`,
  pending: "One moment",
  /** For a change that is charged now. */
  refund: (days: number) => `If you change your mind, you can get a full refund within ${days} days.`,
  noteNow: "If the payment fails, nothing changes and nothing is charged.",
  noteNowScheduled: (plan: string, day: string) =>
    `If the payment fails, nothing is charged and ${plan} starts on ${day} as planned.`,
  noteLater: "You can undo this on your plan page until then.",
  back: "Choose another plan",
};

export type ChangeTexts = typeof changeTexts;
export const changeMessages: Messages<ChangeTexts> = { en: changeTexts };
