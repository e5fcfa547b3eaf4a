import { never } from "#app/domain/kernel/result.ts";
import type { StartChangeRefusal } from "#app/domain/orders/offer-change.server.ts";
import type { Words } from "#app/ui/language.ts";

const en = {
  title: "Change plan",
  lead: (plan: string) => `You are on ${plan}.`,
  switchLabel: "Pay by the month or by the year",
  month: "Monthly",
  year: "Yearly",
  yearNote: "2 months less",
  perMonth: "a month",
  perYear: "a year",
  forever: "for as long as you like",
  saving: (amount: string, perMonth: string) => `${amount} less than monthly, ${perMonth} a month`,
  current: "Your plan",
  choose: (plan: string) => `Choose ${plan}`,
  cancelFirst: (plan: string) =>
    `You are on ${plan}. End it on the plan page first; when it is over, this one can start.`,
  endPlan: (plan: string) => `Go to ${plan} by ending your plan`,
  waitlist: "Join the waitlist",
  waitlistChip: "Waitlist",
  notOnSale: "Not on sale yet",
  confirm: {
    title: (plan: string) => `Start ${plan}`,
    lead: "This is what happens when you go on.",
    now: "Charged now",
    friend: "From a friend",
    friendText: (amount: string) => `${amount} off this first payment`,
    then: "Then",
    thenText: (amount: string, per: string) => `${amount} ${per}, until you end it`,
    tax: "Tax",
    taxText: "included",
    get: "You get",
    submit: (plan: string, price: string, per: string) => `Start ${plan} for ${price} ${per}`,
    submitNow: (plan: string, now: string) => `Start ${plan} and pay ${now} now`,
    pending: "Opening the payment page",
    note: "The payment page belongs to Stripe. Your card never touches our servers.",
    back: "Choose another plan",
  },
  trouble: "That did not go through",
  refusals: {
    "account-leaving": "This account is being closed. Restore it first; then you can choose a plan.",
    "plan-unknown": "There is no such plan any more. Choose one of these.",
    "plan-is-free": "Free needs no payment. To go back to it, end your plan on the plan page.",
    "plan-behind-gate":
      "This plan is open for invited people only. Join the waitlist, and we write when it is your turn.",
    "not-on-sale": "Paid plans are not on sale yet.",
    "quote-moved":
      "What you saw is no longer what it costs, or it was too long ago. Here is the offer of now; nothing was charged.",
    "same-plan": "That is the plan you are on.",
    "plan-ends": "Your plan ends with its period. Let it go on first, on the plan page; then you can change it.",
    "payment-due": "A payment of your plan is due. Pay it first, on the plan page; then you can change the plan.",
    "no-plan": "You have no running plan. Choose one of these.",
    "subscribed-already": "You have a running plan already.",
    "payment-in-process": "A payment of yours is on its way already. Wait for it before you start another.",
    "provider-unreachable":
      "The payment service does not answer at the moment. Nothing was charged. Try again in a minute; you will not pay twice.",
    "provider-refused":
      "The payment service did not accept this. Nothing was charged. If it happens again, write to us.",
  },
  problems: {
    "plan-missing": "Choose a plan.",
    "plan-unknown": "There is no such plan.",
    "interval-unknown": "Choose monthly or yearly.",
    "intent-unknown": "This button does not exist any more. Load the page again.",
    "quote-malformed": "This page is damaged. Load it again.",
  },
};

export type UpgradeTexts = typeof en;
export const upgradeWords: Words<UpgradeTexts> = { en };

export function sayCheckoutRefusal(words: UpgradeTexts, refusal: StartChangeRefusal): string {
  switch (refusal.reason) {
    case "account-leaving":
    case "plan-unknown":
    case "plan-is-free":
    case "plan-behind-gate":
    case "not-on-sale":
    case "quote-moved":
    case "same-plan":
    case "plan-ends":
    case "payment-due":
    case "no-plan":
    case "subscribed-already":
    case "payment-in-process":
    case "provider-unreachable":
    case "provider-refused":
      return words.refusals[refusal.reason];
    default:
      return never(refusal);
  }
}

/** Which status an answer carries: the state of things, or a neighbour that is down. */
export function checkoutRefusalStatus(refusal: StartChangeRefusal): number {
  switch (refusal.reason) {
    case "plan-unknown":
    case "plan-is-free":
      return 422;
    case "account-leaving":
    case "plan-behind-gate":
    case "not-on-sale":
    case "quote-moved":
    case "same-plan":
    case "plan-ends":
    case "payment-due":
    case "no-plan":
    case "subscribed-already":
    case "payment-in-process":
      return 409;
    case "provider-unreachable":
    case "provider-refused":
      return 503;
    default:
      return never(refusal);
  }
}
