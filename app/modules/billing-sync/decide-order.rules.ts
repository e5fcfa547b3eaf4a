/**
 * Decides an order's state from Stripe's facts: its checkout, its invoice and the attempts to pay. Invariant: the same facts give the same
 * state, in any order of events. Called from the reconciler.
 */
import type { CheckoutState, InvoiceState, PaymentState } from "#app/core/stripe/states.ts";
import type { FailureClass, Order, OrderState } from "#app/modules/orders/rules.ts";

/** What Stripe says about one order. `attempts`: its payments, newest first. */
export type OrderFacts = {
  checkout: { state: CheckoutState } | null;
  invoice: {
    state: InvoiceState;
    discountMinor: number;
    /** After discounts, before the customer's balance. */
    totalMinor: number;
    currency: string;
  } | null;
  /** All that was paid was refunded. */
  isFullyReturned: boolean;
  attempts: { state: PaymentState; failure: string | null }[];
};

type Verdict =
  | { state: OrderState; failure: FailureClass | null }
  /** Paid, but not as ordered: not fulfilled, and reported. */
  | { state: "mismatch" };

type Payable = Pick<Order, "amountMinor" | "discountMinor" | "creditMinor" | "currency" | "state" | "expiresAt">;

/** The state of an order that isn't paid yet, by Stripe's facts alone. */
export function decideOrder(order: Payable, facts: OrderFacts): Verdict {
  const { checkout, invoice } = facts;
  const [attempt] = facts.attempts;
  if (!checkout && !invoice) return { state: order.state, failure: null };
  if (invoice?.state === "paid") {
    // An operator refunded a mismatched payment: the order ends, so that the customer can buy again.
    if (facts.isFullyReturned && !matchesAgreedAmount(order, invoice)) return { state: "cancelled", failure: null };
    return matchesAgreedAmount(order, invoice) ? { state: "paid", failure: null } : { state: "mismatch" };
  }
  if (invoice?.state === "void") return { state: "cancelled", failure: null };
  if (checkout?.state === "expired") return { state: "expired", failure: null };
  if (attempt?.state === "needs-action") return { state: "needs-action", failure: null };
  if (attempt?.state === "failed") return { state: "failed", failure: failureClass(attempt.failure) };
  if (checkout?.state === "complete" || attempt?.state === "processing") return { state: "processing", failure: null };
  return { state: "pending", failure: null };
}

/**
 * For a checkout or change started here, the total has to be the order's price, of which discount, credit or earlier debt may have taken
 * a part. Any other invoice has no price to compare it with.
 */
function matchesAgreedAmount(order: Payable, invoice: NonNullable<OrderFacts["invoice"]>): boolean {
  const agreed = order.amountMinor + order.creditMinor + order.discountMinor;
  const fits = invoice.totalMinor + invoice.discountMinor === agreed;
  return order.expiresAt === null || (fits && invoice.currency === order.currency);
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
