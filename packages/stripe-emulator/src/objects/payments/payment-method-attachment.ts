import type Stripe from "stripe";
import { ENDED } from "../../actions/subscriptions/cancel-now.ts";
import { cardDeclined } from "../../actions/payments/expect-payment.ts";
import type { Transaction } from "../../transaction.ts";
import { cardByNumber } from "../../money/cards.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingObject } from "../../http/stripe-errors.ts";
import { saveCustomer } from "../customers/customers.ts";
import { demand, idOf, refer } from "../demand.ts";
import { attachMethod, detachMethod, newCard } from "./payment-methods.ts";
import { saveSubscription } from "../subscriptions/subscription-shape.ts";

/** Stripe's ids for test cards that don't have to be typed: https://docs.stripe.com/testing */
const TOKENS: Record<string, string> = {
  pm_card_authenticationRequired: "4000002760003184",
  pm_card_authenticationRequiredOnSetup: "4000002500003155",
  pm_card_chargeCustomerFail: "4000000000000341",
  pm_card_chargeDeclined: "4000000000000002",
  pm_card_mastercard: "5555555555554444",
  pm_card_visa: "4242424242424242",
};

export const paymentMethodAttachmentRoutes = [
  route(
    "POST",
    "/v1/payment_methods/:id/attach",
    (form) => form.requiredText("customer"),
    (tx, customer, id = "") => attachNamed(tx, id, refer(tx, "customer", customer, "customer")),
  ),
  route("POST", "/v1/payment_methods/:id/detach", nothing, (tx, _, id = "") => detachNamed(tx, id)),
];

/** Clears the card wherever it was the default: by API, even a card that a plan is charged to can be removed. */
function detachNamed(tx: Transaction, id: string): Stripe.PaymentMethod {
  const method = demand(tx, "payment_method", id);
  if (method.customer === null)
    throw invalid("The payment method you provided is not attached to a customer so detachment is impossible.");
  const customer = demand(tx, "customer", idOf(method.customer));
  detachMethod(tx, method);
  const isIt = (used: string | Stripe.PaymentMethod | null) => used !== null && idOf(used) === id;
  if (isIt(customer.invoice_settings.default_payment_method)) {
    const invoice_settings = { ...customer.invoice_settings, default_payment_method: null };
    saveCustomer(tx, customer, { ...customer, invoice_settings });
  }
  for (const subscription of [...tx.store.newestFirst("subscription", customer.id)]) {
    if (ENDED.includes(subscription.status) || !isIt(subscription.default_payment_method)) continue;
    saveSubscription(tx, subscription, { default_payment_method: null });
  }
  return demand(tx, "payment_method", id);
}

function attachNamed(tx: Transaction, id: string, customer: Stripe.Customer): Stripe.PaymentMethod {
  const card = cardByNumber(TOKENS[id] ?? "");
  const existing = tx.store.find("payment_method", id);
  if (card === null && existing === null) throw missingObject("PaymentMethod", id);
  if (existing !== null && existing.customer !== null && existing.customer !== customer.id)
    throw invalid("The payment method you provided has already been attached to a customer.");
  if (card?.atCheckout === "declines") throw cardDeclined();
  const method = card === null ? existing : newCard(tx, customer, card, null);
  if (method === null) throw missingObject("PaymentMethod", id);
  return attachMethod(tx, method, customer.id);
}
