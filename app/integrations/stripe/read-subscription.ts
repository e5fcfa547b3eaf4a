import { type OrderId, readId } from "#app/core/id.ts";
import type { PaymentMethodId, PriceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import { type Collection, type SubscriptionStatus, subscriptionStatuses } from "#app/core/stripe/states.ts";
import { type ProviderMethod, readPaymentMethod } from "./payments/read-payment-method.ts";
import { idOf, ms, maybeMs, readKnownValue, type Sold, soldBy } from "./fields.ts";

/** A subscription as far as we read it: milliseconds, minor units, upper-case currencies. */
export type ProviderSubscription = {
  id: SubscriptionId;
  status: SubscriptionStatus;
  /** The order whose checkout created it. Null if it was created elsewhere, for example in Stripe's dashboard. */
  orderId: OrderId | null;
  /** The plan and interval its price was made for, from the price itself, since its lookup key may have been transferred. */
  sold: Sold | null;
  priceId: PriceId | null;
  amountMinor: number;
  currency: string;
  startedAt: number;
  periodStartsAt: number;
  periodEndsAt: number;
  /** Collection is paused at Stripe, although the status there stays `active`. */
  collection: Collection;
  cancelsAt: number | null;
  /** It ends with a month's notice, not with its period. */
  endsByNotice: boolean;
  endedAt: number | null;
  method: ProviderMethod | null;
  /** What its next invoice is charged to: a card, or another payment method. */
  methodId: PaymentMethodId | null;
  /** The amount of its next renewal with discounts, before the balance. Null if that is the price, or unknown. */
  renewalMinor: number | null;
};

/** `defaultMethod` is the customer's default payment method, for a subscription that has none itself. */
export function readSubscription(
  subscription: Stripe.Subscription,
  defaultMethod: string | Stripe.PaymentMethod | null,
  renewalMinor: number | null,
): ProviderSubscription {
  const [item] = subscription.items.data;
  const method = subscription.default_payment_method ?? defaultMethod;
  return {
    id: idOf(subscription),
    status: readKnownValue(subscriptionStatuses, subscription.status),
    orderId: readId("ord", subscription.metadata.order),
    sold: item ? soldBy(item.price) : null,
    priceId: idOf(item?.price),
    amountMinor: (item?.price.unit_amount ?? 0) * (item?.quantity ?? 1),
    currency: subscription.currency.toUpperCase(),
    startedAt: ms(subscription.start_date),
    periodStartsAt: ms(item?.current_period_start ?? subscription.start_date),
    periodEndsAt: ms(item?.current_period_end ?? subscription.start_date),
    collection: subscription.pause_collection ? "on-hold" : "automatic",
    cancelsAt: readCancelsAt(subscription),
    endsByNotice: subscription.metadata["notice"] === "month",
    endedAt: maybeMs(subscription.ended_at),
    method: readPaymentMethod(method),
    methodId: idOf(method),
    renewalMinor,
  };
}

/** When a subscription is scheduled to end, or null if it renews. A flag or a date says so, and either may be set without the other. */
export function readCancelsAt(
  subscription: Pick<Stripe.Subscription, "cancel_at" | "cancel_at_period_end" | "start_date"> & {
    items: { data: Pick<Stripe.SubscriptionItem, "current_period_end">[] };
  },
): number | null {
  const [item] = subscription.items.data;
  return subscription.cancel_at_period_end
    ? ms(item?.current_period_end ?? subscription.start_date)
    : maybeMs(subscription.cancel_at);
}
