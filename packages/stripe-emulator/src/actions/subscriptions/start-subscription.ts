import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { lineItemsOf } from "../../objects/checkout/checkout-line-items.ts";
import { currentDiscount, discountsAfter, redeemFor } from "../../objects/invoices/discounts.ts";
import { demand } from "../../objects/demand.ts";
import { draftInvoice } from "../../objects/invoices/invoice-shape.ts";
import { attachMethod } from "../../objects/payments/payment-methods.ts";
import { newSubscription } from "../../objects/subscriptions/subscription-shape.ts";
import { redeemableOf } from "../payments/discount-session.ts";
import { takenBy } from "../payments/hold-credit.ts";
import { finalizeInvoice } from "../payments/finalize-invoice.ts";
import { watchPeriod } from "./watch-period.ts";

/** What a paid session creates: a subscription, still incomplete, and its first invoice, still open. */
export function startSubscription(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
  intent: Stripe.PaymentIntent | null,
) {
  const progress = demand(tx, "checkout_progress", `progress_of_${session.id}`);
  attachMethod(tx, method, progress.customer);
  const created = newSubscription(tx, {
    customer: progress.customer,
    currency: session.currency ?? "",
    lines: lineItemsOf(tx, session).flatMap(({ price, quantity }) =>
      price === null ? [] : [{ price, quantity: quantity ?? 1 }],
    ),
    metadata: progress.subscription_metadata,
    description: progress.subscription_description,
    isTaxed: session.automatic_tax.enabled,
  });
  const redeemable = redeemableOf(tx, session);
  const discounts = redeemable === null ? [] : [redeemFor(tx, redeemable, created, session.id).id];
  const owing = tx.store.put("subscription", { ...created, discounts });
  const now = tx.clock.now();
  const draft = draftInvoice(tx, {
    subscription: owing,
    reason: "subscription_create",
    period: { start: now, end: now },
    items: [],
    hasPeriod: true,
    discount: currentDiscount(tx, owing),
  });
  const invoice = finalizeInvoice(tx, draft, intent, takenBy(tx, session));
  // One write without a separate event: the caller changes the status next, and Stripe sends one update for both.
  const subscription = tx.store.put("subscription", {
    ...owing,
    default_payment_method: method.id,
    latest_invoice: invoice.id,
    discounts: discountsAfter(tx, owing),
  });
  watchPeriod(tx, subscription);
  return { subscription, invoice };
}
