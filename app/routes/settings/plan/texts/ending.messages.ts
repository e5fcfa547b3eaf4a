import type { Messages } from "#app/core/messages.ts";

/** `last`: about to be charged for the period that has begun. */
const lastPayment = (last: string | null) =>
  last ? ` Only the ${last} for the period that has just started is still charged.` : "";

/** How a plan is cancelled or ended, and how that is undone. */
const en = {
  cancel: {
    title: "Cancel your plan",
    /** `free`: the plan that follows; null: none. */
    text: (day: string, last: string | null, { product, free }: { product: string; free: string | null }) =>
      `Your plan stays active until ${day}, and you can undo the cancellation until then. After that, ${free === null ? `you need a new plan to use ${product}` : `you'll be on ${free}`}, and we won't charge you again.${lastPayment(last)}`,
    textWithdrawn: "Your plan ends when we refund you. To be sure it doesn't renew, cancel it as well.",
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
      `You can start a plan again at any time. For the next ${days} days, a renewal that fails locks it immediately.`,
    keep: "Keep my plan",
    button: "End it now",
    pending: "Ending",
  },
  resume: {
    title: (day: string) => `Your plan ends on ${day}`,
    text: (last: string | null, free: string | null) =>
      `You can use it until then.${free === null ? "" : ` After that, you'll be on ${free}.`}${lastPayment(last) || " You won't be charged again."}`,
    button: "Keep my plan",
    pending: "Undoing",
  },
};

export const endingMessages: Messages<typeof en> = { en };
