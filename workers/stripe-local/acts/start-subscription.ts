import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { newId } from "../ids.ts";
import { lineItemsOf } from "../objects/checkout-line-items.ts";
import { discountOf, redeemCoupon } from "../objects/coupons.ts";
import { demand, idOf } from "../objects/find.ts";
import { type Bill, draftInvoice } from "../objects/invoice-shape.ts";
import { attachMethod } from "../objects/payment-methods.ts";
import { newSubscription, periodOf } from "../objects/subscription-shape.ts";
import { finalizeInvoice } from "./collect-invoice.ts";

/** What a paid session leaves behind: a subscription, still incomplete, and its first invoice, still open. */
export function startSubscription(
  books: Books,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
  intent: Stripe.PaymentIntent | null,
) {
  const progress = demand(books, "checkout_progress", `progress_of_${session.id}`);
  attachMethod(books, method, progress.customer);
  const created = newSubscription(books, {
    customer: progress.customer,
    currency: session.currency ?? "",
    lines: lineItemsOf(books, session).flatMap(({ price, quantity }) =>
      price === null ? [] : [{ price, quantity: quantity ?? 1 }],
    ),
    metadata: progress.subscription_metadata,
    description: progress.subscription_description,
    isTaxed: session.automatic_tax.enabled,
  });
  const now = books.clock.now();
  const draft = draftInvoice(books, {
    subscription: created,
    reason: "subscription_create",
    period: { start: now, end: now },
    discount: takeDiscount(books, session, created),
  });
  const invoice = finalizeInvoice(books, draft, intent);
  const lasting = draft.discounts.flatMap((reference) => (isLasting(books, idOf(reference)) ? [idOf(reference)] : []));
  // One write, no event of its own: the caller changes the status next, and Stripe sends one update for both.
  const subscription = books.store.put("subscription", {
    ...created,
    default_payment_method: method.id,
    latest_invoice: invoice.id,
    discounts: lasting,
  });
  books.clock.setTimer("subscription-period-ends", subscription.id, periodOf(subscription).end);
  return { subscription, invoice };
}

function takeDiscount(
  books: Books,
  session: Stripe.Checkout.Session,
  subscription: Stripe.Subscription,
): Bill["discount"] {
  const reference = session.discounts?.[0]?.coupon ?? null;
  const coupon = reference === null ? null : books.store.find("coupon", idOf(reference));
  if (coupon === null) return null;
  redeemCoupon(books, coupon);
  const customer = idOf(subscription.customer);
  const discount = books.store.put(
    "discount",
    {
      id: newId("di"),
      object: "discount",
      checkout_session: session.id,
      customer,
      customer_account: null,
      end: null,
      invoice: null,
      invoice_item: null,
      promotion_code: null,
      source: { coupon: coupon.id, type: "coupon" },
      start: books.clock.now(),
      subscription: subscription.id,
      subscription_item: null,
    },
    customer,
  );
  return { id: discount.id, amount: discountOf(coupon, session.amount_subtotal ?? 0) };
}

function isLasting(books: Books, discountId: string): boolean {
  const reference = books.store.find("discount", discountId)?.source.coupon ?? null;
  return reference !== null && books.store.find("coupon", idOf(reference))?.duration === "forever";
}
