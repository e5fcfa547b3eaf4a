import type { Messages } from "#app/core/messages.ts";

/** An unpaid choice, and what a friend's invitation brings to a first one. The server chooses the texts. */
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
