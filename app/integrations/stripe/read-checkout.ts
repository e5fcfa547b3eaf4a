import { type OrderId, readId } from "#app/core/id.ts";
import type { CheckoutId, InvoiceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import { type CheckoutState, checkoutStates } from "#app/core/stripe/states.ts";
import type Stripe from "stripe";
import { idOf, ms, readKnownValue } from "./fields.ts";

/** A Checkout session as far as we read it, in the site's terms. */
export type Checkout = {
  id: CheckoutId;
  url: string | null;
  state: CheckoutState;
  /** Nothing is left to pay; false while a bank debit is in process. */
  isPaid: boolean;
  invoiceId: InvoiceId | null;
  subscriptionId: SubscriptionId | null;
  orderId: OrderId | null;
  createdAt: number;
  expiresAt: number;
};

export function readCheckout(checkout: Stripe.Checkout.Session): Checkout {
  return {
    id: idOf(checkout),
    url: checkout.url,
    state: readKnownValue(checkoutStates, checkout.status ?? "open"),
    isPaid: checkout.payment_status !== "unpaid",
    invoiceId: idOf(checkout.invoice),
    subscriptionId: idOf(checkout.subscription),
    orderId: readId("ord", checkout.client_reference_id),
    createdAt: ms(checkout.created),
    expiresAt: ms(checkout.expires_at),
  };
}
