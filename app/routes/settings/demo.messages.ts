import type { Messages } from "#app/core/messages.ts";

/** Rare, so the server chooses it and browsers don't load it. */
const en = {
  text: "A demo customer: this plan and its orders aren't at Stripe, so they can't be paid, changed or refunded. To try that, sign up with your own address.",
};

export const demoMessages: Messages<typeof en> = { en };
