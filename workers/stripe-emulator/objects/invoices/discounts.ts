import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { newId } from "../../ids.ts";
import { spread } from "../../money/proration.ts";
import { discountOf, redeemCoupon } from "../catalogue/coupons.ts";
import { idOf } from "../demand.ts";
import { type Discount, grossOf } from "./invoice-lines.ts";

interface Lasting {
  id: string;
  coupon: Stripe.Coupon;
}

/** Redeems a coupon for a subscription; the coupon defines how long it applies. */
export function redeemFor(
  tx: Transaction,
  coupon: Stripe.Coupon,
  subscription: Stripe.Subscription,
  session: string | null,
): Stripe.Discount {
  redeemCoupon(tx, coupon);
  const customer = idOf(subscription.customer);
  return tx.store.put(
    "discount",
    {
      id: newId("di"),
      object: "discount",
      checkout_session: session,
      customer,
      customer_account: null,
      end: null,
      invoice: null,
      invoice_item: null,
      promotion_code: null,
      source: { coupon: coupon.id, type: "coupon" },
      start: tx.clock.now(),
      subscription: subscription.id,
      subscription_item: null,
    },
    customer,
  );
}

/** The discount on one period of a subscription's items. */
export function currentDiscount(tx: Transaction, subscription: Stripe.Subscription): Discount | null {
  const lasting = subscription.status === "trialing" ? null : lastingOf(tx, subscription);
  return lasting === null ? null : { id: lasting.id, amount: offOf(lasting, subscription) };
}

/** The discounts left after a period's invoice: a coupon for one use is used up. A trial uses none. */
export const discountsAfter = (tx: Transaction, subscription: Stripe.Subscription): string[] =>
  subscription.status === "trialing" || lastingOf(tx, subscription)?.coupon.duration === "forever"
    ? subscription.discounts.map(idOf)
    : [];

/** The discounted price of each item for a whole period, and the discount's id for the resulting proration. */
export function netPrices(
  tx: Transaction,
  subscription: Stripe.Subscription,
): Map<string, { amount: number; discounts: string[] }> {
  const lasting = lastingOf(tx, subscription);
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

function lastingOf(tx: Transaction, subscription: Stripe.Subscription): Lasting | null {
  const [reference] = subscription.discounts;
  if (reference === undefined) return null;
  const source = tx.store.find("discount", idOf(reference))?.source.coupon ?? null;
  const coupon = source === null ? null : tx.store.find("coupon", idOf(source));
  return coupon === null ? null : { id: idOf(reference), coupon };
}
