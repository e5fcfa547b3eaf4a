import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { periodEnd } from "../calendar.ts";
import { discountOf } from "../objects/coupons.ts";
import { idOf } from "../objects/find.ts";
import { type Bill, draftInvoice } from "../objects/invoice-shape.ts";
import { cancelNow } from "../objects/subscriptions.ts";
import { periodOf, saveSubscription } from "../objects/subscription-shape.ts";
import { collectInvoice, finalizeInvoice } from "./collect-invoice.ts";

/**
 * A billing period has ended: the subscription ends too if that was asked for, or a new period begins and is charged.
 * Stripe leaves the invoice a draft for an hour first; here it is charged in the same moment.
 */
export function endPeriod(books: Books, subscription: Stripe.Subscription): void {
  if (subscription.status === "canceled") return;
  if (subscription.cancel_at_period_end) {
    cancelNow(books, subscription, {});
    return;
  }
  const ended = periodOf(subscription);
  const renewed = books.store.put("subscription", withNextPeriod(subscription, ended.end));
  const draft = draftInvoice(books, {
    subscription: renewed,
    reason: "subscription_cycle",
    period: ended,
    discount: lastingDiscount(books, renewed),
  });
  const next = saveSubscription(books, subscription, { items: renewed.items, latest_invoice: draft.id });
  books.clock.setTimer("subscription-period-ends", next.id, periodOf(next).end);
  collectInvoice(books, finalizeInvoice(books, draft, null));
}

function withNextPeriod(subscription: Stripe.Subscription, start: number): Stripe.Subscription {
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end:
      item.price.recurring === null ? start : periodEnd(subscription.billing_cycle_anchor, start, item.price.recurring),
  }));
  return { ...subscription, items: { ...subscription.items, data } };
}

function lastingDiscount(books: Books, subscription: Stripe.Subscription): Bill["discount"] {
  const [reference] = subscription.discounts;
  const coupon =
    reference === undefined ? null : (books.store.find("discount", idOf(reference))?.source.coupon ?? null);
  const found = coupon === null ? null : books.store.find("coupon", idOf(coupon));
  if (reference === undefined || found === null) return null;
  const subtotal = subscription.items.data.reduce(
    (sum, item) => sum + (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
    0,
  );
  return { id: idOf(reference), amount: discountOf(found, subtotal) };
}
