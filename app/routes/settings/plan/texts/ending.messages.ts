import type { Messages } from "#app/core/messages.ts";

/** What is still charged after the cancellation: for the period that has begun, or by a debit that the bank is processing. */
export type LastCharge = { amount: string; isInProcess: boolean };

const charges = (last: LastCharge | null): string => {
  if (last === null) return "We won't charge you again.";
  return last.isInProcess
    ? `We'll still charge the ${last.amount} that your bank is processing, and nothing after that.`
    : `We'll still charge ${last.amount} for the period that has just started, and nothing after that.`;
};

const en = {
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

export const endingMessages: Messages<typeof en> = { en };
