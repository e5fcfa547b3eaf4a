import type { Messages } from "#app/core/messages.ts";

/** Why the payment failed, as far as the bank says. */
export type Failed = { failure: "declined" | "no-funds" | "card-details" | "authentication" | "other" | null };

type Failure = NonNullable<Failed["failure"]>;

/** Why a payment failed, in an email about it. */
const en: Record<Failure, string> = {
  declined: "Your bank declined the payment without giving a reason.",
  "no-funds": "There wasn't enough money in the account.",
  "card-details": "The card number, expiry date or security code was wrong.",
  authentication: "The confirmation that your bank asked for wasn't completed.",
  other: "Stripe couldn't take the payment.",
};

export const failureMessages: Messages<typeof en> = { en };
