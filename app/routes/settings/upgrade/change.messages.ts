import type { Messages } from "#app/core/messages.ts";

const en = {
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

export type ChangeTexts = typeof en;
export const changeMessages: Messages<ChangeTexts> = { en };
