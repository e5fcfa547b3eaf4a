/**
 * Decides an order's state from Stripe's facts: its checkout, its invoice and the attempts to pay. Invariant: the same facts give the same
 * state, in any order of events. Called from the reconciler.
 */
import type { CheckoutState, InvoiceState, PaymentState } from "#app/core/stripe/states.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import type { FailureClass, OrderState } from "#app/modules/billing/orders/states.rules.ts";

/** What Stripe says about one order. `attempts`: its payments, newest first. */
export type OrderFacts = {
  checkout: { state: CheckoutState } | null;
  invoice: { state: InvoiceState } | null;
  attempts: { state: PaymentState; failure: string | null }[];
};

type Verdict = { state: OrderState; failure: FailureClass | null };

/** The state of an order that isn't paid yet, by Stripe's facts alone. What was paid is judged in mismatch.rules.ts. */
export function decideOrder(order: Pick<Order, "state">, facts: OrderFacts): Verdict {
  const { checkout, invoice } = facts;
  const [attempt] = facts.attempts;
  if (!checkout && !invoice) return { state: order.state, failure: null };
  if (invoice?.state === "paid") return { state: "paid", failure: null };
  if (invoice?.state === "void") return { state: "cancelled", failure: null };
  if (checkout?.state === "expired") return { state: "expired", failure: null };
  if (attempt?.state === "needs-action") return { state: "needs-action", failure: null };
  if (attempt?.state === "failed") return { state: "failed", failure: failureClass(attempt.failure) };
  if (checkout?.state === "complete" || attempt?.state === "processing") return { state: "processing", failure: null };
  return { state: "pending", failure: null };
}

/** Maps Stripe's many decline codes to the few that a customer can act on. Source: Stripe's list of decline codes. */
export function failureClass(code: string | null): FailureClass {
  switch (code) {
    case "insufficient_funds":
    case "withdrawal_count_limit_exceeded":
      return "no-funds";
    case "incorrect_number":
    case "invalid_number":
    case "incorrect_cvc":
    case "invalid_cvc":
    case "expired_card":
    case "invalid_expiry_month":
    case "invalid_expiry_year":
    case "incorrect_zip":
      return "card-details";
    case "authentication_required":
    case "payment_intent_authentication_failure":
    case "subscription_payment_intent_requires_action":
      return "authentication";
    case "card_declined":
    case "generic_decline":
    case "do_not_honor":
    case "call_issuer":
    case "transaction_not_allowed":
      return "declined";
    default:
      return "other";
  }
}
