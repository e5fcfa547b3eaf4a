import type { Messages } from "#app/core/messages.ts";

const en = {
  /** On the free plan's card, to a signed-in customer with a paid plan. */
  change: (plan: string) => `Change to ${plan}`,
  unsold: "Not on sale right now: its price is being updated.",
};

export const changePlanMessages: Messages<typeof en> = { en };
