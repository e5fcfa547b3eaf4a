import type { Messages } from "#app/core/messages.ts";

/** Shown on the card of a plan whose payment is being processed. */
const en = {
  chip: "Payment processing",
  link: "See this payment",
};

export const underWayMessages: Messages<typeof en> = { en };

const changePlanTexts = {
  /** On the free plan's card, to a signed-in customer with a paid plan. */
  change: (plan: string) => `Change to ${plan}`,
  unsold: "Not on sale right now: its price is being updated.",
};

export const changePlanMessages: Messages<typeof changePlanTexts> = { en: changePlanTexts };
