import type { FailureClass } from "#app/modules/billing/orders/states.rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** Why a payment failed, wherever that is shown. */
const en = {
  declined: "Your bank declined the card without giving a reason. Try another card, or ask your bank.",
  "no-funds": "There wasn't enough money in the account.",
  "card-details": "The card number, expiry date or security code was wrong.",
  authentication: "You didn't complete the confirmation your bank asked for.",
  other: "Stripe couldn't take the payment.",
} satisfies Record<FailureClass, string>;

export const paymentReasonsMessages: Messages<Record<FailureClass, string>> = { en };
