import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { DECLINED } from "../../money/cards.ts";
import { StripeRefusal } from "../../http/stripe-errors.ts";
import { answerOf } from "./collect-invoice.ts";

/**
 * For `error_if_incomplete`: refused before anything is written, because no part of it may remain. Stripe would leave
 * the failed payment behind.
 */
export function expectPayment(tx: Transaction, amount: number, method: Stripe.PaymentMethod | null): void {
  const answer = method === null ? "declines" : answerOf(tx, method);
  if (amount === 0 || answer === "succeeds" || answer === "takes-days") return;
  throw answer === "asks-holder"
    ? new StripeRefusal(402, {
        type: "card_error",
        code: "subscription_payment_intent_requires_action",
        message:
          "Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.",
      })
    : cardDeclined();
}

export const cardDeclined = (): StripeRefusal =>
  new StripeRefusal(402, {
    type: "card_error",
    code: DECLINED.code,
    message: DECLINED.message,
    ...(DECLINED.declineCode !== undefined && { decline_code: DECLINED.declineCode }),
  });
