import type { Messages } from "#app/core/messages.ts";

/** What the overview says about the plan. Chosen on the server, so that the browser doesn't load every message for the one that applies. */
const en = {
  title: "Plan",
  free: "Nothing to pay.",
  freeUntilPaid: (free: string) => `Until then, you're on ${free}.`,
  freeForNow: "You stay on this plan until you've paid for your new one.",
  /** `day` is "today" or "on 26 December 2026". `card` is null if it isn't known. */
  renews: (amount: string, day: string, card: string | null) =>
    `Your next payment is ${amount} ${day}${card === null ? "" : ` with ${card}`}.`,
  today: "today",
  onDay: (day: string) => `on ${day}`,
  changes: (next: string, amount: string, day: string) => `On ${day} you'll move to ${next} and pay ${amount}.`,
  changesInterval: {
    month: (amount: string, day: string) => `Monthly billing starts on ${day}, and you'll pay ${amount}.`,
    year: (amount: string, day: string) => `Yearly billing starts on ${day}, and you'll pay ${amount}.`,
  },
  ends: (day: string) => `You can use it until ${day}. It won't renew.`,
  onHold: "We've paused your payments, so you aren't being charged. Your plan stays active.",
  processing: "Processing",
  processingText: (amount: string) => `${amount} is being processed by your bank`,
  manage: "See your plan",
  upgrade: "See plans",
  none: "No plan",
  noneText: (product: string) => `You need a plan to use ${product}.`,
  choose: "Choose a plan",
  withdrawal: "Withdrawal",
  /** `by` is the day until which a refund is due. */
  withdrawalText: (day: string, by: string) =>
    `Sent on ${day}. We'll refund you by ${by}, or email you to explain why we can't.`,
  withdrawalByAnyone: (day: string, by: string, support: string) =>
    `Sent on ${day} by someone who wasn't signed in. Nothing changes until we've checked it, and we'll email you the outcome by ${by}. If it wasn't you, email ${support}.`,
  declaredEnd: "Cancellation",
  disputed: "Disputed",
  /** `pauses`: the plan is paused meanwhile. */
  disputedText: (amount: string, day: string, pauses = false) =>
    `You've disputed ${amount}, paid on ${day}, with your bank. ${pauses ? "Until it decides, your plan is paused." : "Nothing changes until it decides."}`,
  withdrawalLink: "See the order",
  invited: (what: string) => `You're invited to ${what}`,
};

export const overviewPlanMessages: Messages<typeof en> = { en };
