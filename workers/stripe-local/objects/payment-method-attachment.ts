import type Stripe from "stripe";
import { cardDeclined } from "../acts/expect-payment.ts";
import type { Books } from "../books.ts";
import { cardByNumber } from "../cards.ts";
import { route } from "../routing.ts";
import { invalid, missingObject } from "../stripe-errors.ts";
import { refer } from "./find.ts";
import { attachMethod, newCard } from "./payment-methods.ts";

/** Stripe's names for cards that nobody has to type: https://docs.stripe.com/testing */
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
    (books, customer, id = "") => attachNamed(books, id, refer(books, "customer", customer, "customer")),
  ),
];

function attachNamed(books: Books, id: string, customer: Stripe.Customer): Stripe.PaymentMethod {
  const card = cardByNumber(TOKENS[id] ?? "");
  const existing = books.store.find("payment_method", id);
  if (card === null && existing === null) throw missingObject("PaymentMethod", id);
  if (existing !== null && existing.customer !== null && existing.customer !== customer.id)
    throw invalid("The payment method you provided has already been attached to a customer.");
  if (card?.atCheckout === "declines") throw cardDeclined();
  const method = card === null ? existing : newCard(books, customer, card, null);
  if (method === null) throw missingObject("PaymentMethod", id);
  return attachMethod(books, method, customer.id);
}
