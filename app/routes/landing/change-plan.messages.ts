import type { Messages } from "#app/core/messages.ts";

/** Shown on the free plan's card to a signed-in customer with a paid plan. */
const en = {
  change: (plan: string) => `Change to ${plan}`,
};

export const changePlanMessages: Messages<typeof en> = { en };
