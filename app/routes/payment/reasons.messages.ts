import type { FailureClass } from "#app/modules/orders/rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** Why a payment failed, wherever that is shown. */
const en = {
  declined: "Your bank declined the card. It doesn't tell us why; another card often works, or a call to the bank.",
  "no-funds": "The account behind the card did not have enough on it.",
  "card-details": "The number, date or check digits of the card were not right.",
  authentication: "The confirmation that your bank asks for was not completed.",
  other: "The payment service could not take the payment.",
} satisfies Record<FailureClass, string>;

export const paymentReasonsMessages: Messages<Record<FailureClass, string>> = { en };
