import type { Messages } from "#app/core/messages.ts";

/** On the card of the free plan, for a signed-in customer with a paid one. */
const en = {
  change: (plan: string) => `Change to ${plan}`,
};

export const changePlanMessages: Messages<typeof en> = { en };
