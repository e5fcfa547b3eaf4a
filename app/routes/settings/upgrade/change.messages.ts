import type { Exceeding } from "#app/modules/devices/reads/find-exceeding.server.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (plan: string) => `Change to ${plan}`,
  titleYearly: (plan: string) => `${plan}, paid by the year`,
  titleMonthly: (plan: string) => `${plan}, paid by the month`,
  titleStay: (plan: string) => `Keep ${plan}`,
  titleEnd: (plan: string) => `Cancel ${plan}`,
  lead: "This is what happens when you go on. So far nothing has changed.",
  sum: "What is charged now",
  then: "What comes after",
  unused: (plan: string) => `${plan}, paid for and not used`,
  remaining: (plan: string, until: string) => `${plan} until ${until}`,
  discount: "Discount",
  credit: "Credit used",
  kept: "Kept as your credit",
  earlier: "Carried over from an earlier charge",
  later: "Too little to be collected alone: carried over to the next charge",
  tax: "Tax included",
  total: "Charged now",
  nothing: "nothing",
  card: "Paid by",
  cardText: (brand: string, last4: string) => `${brand} ending in ${last4}`,
  begins: "Begins",
  atOnce: "at once, when the payment has arrived",
  beginsText: (day: string, plan: string) => `on ${day}; until then ${plan} goes on as it is`,
  next: "Next charge",
  nextText: (amount: string, day: string) => `${amount} on ${day}`,
  nextWithCredit: (credit: string) => `, after ${credit} of your credit`,
  nextWithCarried: (carried: string) => `, with ${carried} carried over from an earlier charge`,
  nextWithDiscount: ", less what your plan's discount takes off by then",
  instead: "Does not happen",
  insteadText: (plan: string, day: string) => `${plan} on ${day}`,
  ends: "Ends",
  endsText: (day: string) => `on ${day}; until then everything stays as it is, and you can take it back`,
  endsNow: "now: nothing more is collected, and what is due is given up",
  get: "You get",
  keep: "You keep",
  lost: "What goes",
  exceeding: (plan: string) => `More than ${plan} allows`,
  exceedingText: ({ label, used, limit }: Exceeding) => `${label ?? "Devices"}: you use ${used}, the limit is ${limit}`,
  per: { month: "a month", year: "a year" },
  submitNow: (plan: string, amount: string) => `Change to ${plan} and pay ${amount} now`,
  submitInterval: {
    month: (what: string) => `Pay by the month: ${what}`,
    year: (what: string) => `Pay by the year: ${what}`,
  },
  paysNow: (amount: string) => `${amount} now`,
  paysFrom: (day: string, price: string) => `${price} from ${day}`,
  submitLater: (plan: string, price: string, per: string, day: string) =>
    `Change to ${plan} for ${price} ${per} from ${day}`,
  submitStay: (plan: string, price: string, per: string) => `Keep ${plan} for ${price} ${per}`,
  submitEnd: (plan: string, day: string) => `Cancel ${plan}, ending on ${day}`,
  submitEndNow: (plan: string) => `Cancel ${plan} now`,
  pending: "One moment",
  noteNow: "If the payment does not go through, nothing changes and nothing is charged.",
  noteNowPlanned: (plan: string, day: string) =>
    `If the payment does not go through, nothing is charged, nothing changes, and ${plan} begins on ${day} as planned.`,
  noteLater: "Until that day you can take it back on the plan page.",
  nextPeriod: {
    "payment-method": {
      title: "This change starts with your next period",
      text: (day: string) =>
        `A change can start right away only if your plan is paid by card or by another method that charges at once, such as Link or PayPal. Yours isn't, so the change starts on ${day}, and nothing is charged before.`,
      card: "To change today, add a card first. You come back here to confirm.",
      button: "Use a card first",
      pending: "Opening the card page",
    },
    "collection-method": {
      title: "This change starts with your next period",
      text: (day: string) => `We send you invoices for your plan, so the change starts on ${day}.`,
    },
    "renewal-unpaid": {
      title: "This change starts with your next period",
      text: (day: string) =>
        `The payment for your current period hasn't arrived yet; a bank debit takes several days. The change starts on ${day}, and nothing is charged for it before then. To change sooner, come back when the payment has arrived.`,
    },
  },
  back: "Choose another plan",
};

export type ChangeTexts = typeof en;
export const changeMessages: Messages<ChangeTexts> = { en };
