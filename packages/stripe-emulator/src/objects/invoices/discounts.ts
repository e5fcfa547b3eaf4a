import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { spread } from "../../money/proration.ts";
import { discountOf } from "../catalogue/coupons.ts";
import { type Redeemable, redeem } from "../catalogue/redemption.ts";
import { periodEnd } from "../../time/period-end.ts";
import { idOf } from "../demand.ts";
import { periodOf, saveSubscription } from "../subscriptions/subscription-shape.ts";
import { type Discount, grossOf } from "./invoice-lines.ts";

interface Lasting {
  id: string;
  coupon: Stripe.Coupon;
}

/** Redeems a coupon for a subscription; the coupon defines how long it applies. */
export function redeemFor(
  tx: Transaction,
  redeemable: Redeemable,
  subscription: Stripe.Subscription,
  session: string | null,
): Stripe.Discount {
  redeem(tx, redeemable);
  const { coupon, code } = redeemable;
  const customer = idOf(subscription.customer);
  const now = tx.clock.now();
  const months = coupon.duration_in_months;
  const end = months === null ? null : periodEnd(now, now, { interval: "month", interval_count: months });
  const discount = tx.store.put(
    "discount",
    {
      id: newId("di"),
      object: "discount",
      checkout_session: session,
      customer,
      customer_account: null,
      end,
      invoice: null,
      invoice_item: null,
      promotion_code: code?.id ?? null,
      source: { coupon: coupon.id, type: "coupon" },
      start: now,
      subscription: subscription.id,
      subscription_item: null,
    },
    customer,
  );
  if (end !== null) tx.clock.setTimer("discount-ends", discount.id, end);
  return discount;
}

/** A repeating coupon's months are over: its subscription no longer lists it. */
export function endDiscount(tx: Transaction, { id, subscription: holder }: Stripe.Discount): void {
  const subscription = holder === null ? null : tx.store.find("subscription", holder);
  const discounts = subscription?.discounts.map(idOf) ?? [];
  if (subscription !== null && discounts.includes(id))
    saveSubscription(tx, subscription, { discounts: discounts.filter((each) => each !== id) });
}

/** The discount on one period of a subscription's items. */
export function currentDiscount(tx: Transaction, subscription: Stripe.Subscription): Discount | null {
  const lasting = subscription.status === "trialing" ? null : lastingOf(tx, subscription, periodOf(subscription).start);
  return lasting === null ? null : { id: lasting.id, amount: offOf(lasting, subscription) };
}

/** The discounts left after a period's invoice: a coupon for one use is used up. A trial uses none. */
export function discountsAfter(tx: Transaction, subscription: Stripe.Subscription): string[] {
  const lasting = lastingOf(tx, subscription, periodOf(subscription).start);
  const isUsedUp = lasting === null || lasting.coupon.duration === "once";
  return subscription.status === "trialing" || !isUsedUp ? subscription.discounts.map(idOf) : [];
}

/** The discounted price of each item for a whole period, and the discount's id for the resulting proration. */
export function netPrices(
  tx: Transaction,
  subscription: Stripe.Subscription,
): Map<string, { amount: number; discounts: string[] }> {
  const lasting = lastingOf(tx, subscription, tx.clock.now());
  const items = subscription.items.data;
  const offs = lasting === null ? [] : spread(offOf(lasting, subscription), items.map(grossOf), subscription.currency);
  return new Map(
    items.map((item, index) => [
      item.id,
      { amount: grossOf(item) - (offs[index] ?? 0), discounts: lasting === null ? [] : [lasting.id] },
    ]),
  );
}

const offOf = ({ coupon }: Lasting, subscription: Stripe.Subscription): number =>
  discountOf(coupon, totalOf(subscription), subscription.currency);

const totalOf = (subscription: Stripe.Subscription): number =>
  subscription.items.data.reduce((sum, item) => sum + grossOf(item), 0);

function lastingOf(tx: Transaction, subscription: Stripe.Subscription, at: number): Lasting | null {
  const [reference] = subscription.discounts;
  const discount = reference === undefined ? null : tx.store.find("discount", idOf(reference));
  const source = discount?.source.coupon ?? null;
  const coupon = source === null ? null : tx.store.find("coupon", idOf(source));
  if (discount === null || coupon === null) return null;
  return discount.end === null || at < discount.end ? { id: discount.id, coupon } : null;
}
