import type { Messages } from "#app/core/messages.ts";

/** Shown on every settings page about a payment that Stripe hasn't confirmed so far. */
const en = {
  title: "Your payment is being confirmed",
  titleFor: (plan: string) => `Your payment for ${plan} is being confirmed`,
  titleOf: (amount: string) => `Your payment of ${amount} is being confirmed`,
  text: "We're waiting for Stripe to confirm it. Please don't pay again.",
  link: "See this payment",
};

export const unconfirmedMessages: Messages<typeof en> = { en };
