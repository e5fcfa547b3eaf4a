import type { Messages } from "#app/core/messages.ts";

/** A choice that awaits payment. Chosen on the server. */
const en = {
  change: (plan: string) => `Your change to ${plan} isn't paid for yet`,
  start: (plan: string) => `You have an unfinished payment for ${plan}`,
  processing: (plan: string) => `Your payment for ${plan} is being processed`,
  text: "If you choose a plan here, we cancel that payment, so you never pay twice.",
  processingText: "You don't have to do anything.",
  link: "See the payment",
};

export const openChoiceMessages: Messages<typeof en> = { en };
