import type { Messages } from "#app/core/messages.ts";

/** Shown on the card of a plan whose payment is being processed. */
const en = {
  chip: "Payment processing",
  link: "See this payment",
};

export const underWayMessages: Messages<typeof en> = { en };
