import type { Messages } from "#app/core/messages.ts";

/** A choice that awaits payment, and what a first one brings. Chosen on the server. */
const en = {
  change: (plan: string) => `Your change to ${plan} isn't paid for yet`,
  start: (plan: string) => `You have an unfinished payment for ${plan}`,
  processing: (plan: string) => `Your payment for ${plan} is being processed`,
  text: "If you choose another plan, we cancel that payment, so you never pay twice.",
  processingText: "You don't have to do anything.",
  link: "See the payment",
  friend: (amount: string) => `A friend invited you: we'll refund ${amount} of your first payment.`,
};

export const openChoiceMessages: Messages<typeof en> = { en };
