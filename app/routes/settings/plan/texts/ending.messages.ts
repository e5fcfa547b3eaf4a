import type { Messages } from "#app/core/messages.ts";

/** `last`: about to be charged for the period that has begun. */
const lastPayment = (last: string | null) =>
  last ? ` You'll still be charged ${last} for the period that has just started.` : "";

/** How a plan is cancelled or ended, and how that is undone. */
const en = {
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
};

export const endingMessages: Messages<typeof en> = { en };
