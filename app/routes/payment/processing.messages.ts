import type { Messages } from "#app/core/messages.ts";

/** Shown while the bank processes a payment, on the payment's page and on its order's. */
const en = {
  text: "Your bank takes a few days for this payment. You don't have to do anything. Please don't pay again. We'll email you when the payment arrives.",
  /** For a renewal whose plan stays active. */
  asUsual: "Your plan stays active. If the payment fails, we'll email you and tell you how long you have to pay.",
};

export const processingMessages: Messages<typeof en> = { en };
