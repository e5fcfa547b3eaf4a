import { type OrderId, readId } from "#app/core/id.ts";
import type { CheckoutId, InvoiceId, PaymentMethodId, PriceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import {
  type CheckoutState,
  checkoutStates,
  type Collection,
  type SubscriptionStatus,
  subscriptionStatuses,
} from "#app/core/stripe/states.ts";
import { type ProviderCard, readCard } from "./payments/cards.ts";
import { idOf, ms, maybeMs, oneOf, type Sold, soldBy } from "./fields.ts";

/** The Stripe objects as far as we read them, in our terms: milliseconds, minor units, upper-case currencies. */
export type Checkout = {
  id: CheckoutId;
  url: string | null;
  state: CheckoutState;
  invoiceId: InvoiceId | null;
  subscriptionId: SubscriptionId | null;
  orderId: OrderId | null;
  createdAt: number;
  expiresAt: number;
};

export type ProviderSubscription = {
  id: SubscriptionId;
  status: SubscriptionStatus;
  /** The order whose checkout created it; null: created elsewhere, for example in Stripe's dashboard. */
  orderId: OrderId | null;
  /** The plan and interval its price was made for, from the price itself, since its lookup key may have been transferred. */
  sold: Sold | null;
  priceId: PriceId | null;
  amountMinor: number;
  currency: string;
  startedAt: number;
  periodStartsAt: number;
  periodEndsAt: number;
  /** Collection is paused at Stripe; its status there stays `active` all the same. */
  collection: Collection;
  cancelsAt: number | null;
  endedAt: number | null;
  card: ProviderCard | null;
  /** What its next invoice is charged to: a card, or another payment method. */
  methodId: PaymentMethodId | null;
  /** The amount of its next renewal with discounts, before the balance; null: the price, or unknown. */
  renewalMinor: number | null;
};

export function readCheckout(checkout: Stripe.Checkout.Session): Checkout {
  return {
    id: idOf(checkout),
    url: checkout.url,
    state: oneOf(checkoutStates, checkout.status ?? "open"),
    invoiceId: idOf(checkout.invoice),
    subscriptionId: idOf(checkout.subscription),
    orderId: readId("ord", checkout.client_reference_id),
    createdAt: ms(checkout.created),
    expiresAt: ms(checkout.expires_at),
  };
}

/** `standard` is the customer's default payment method, for a subscription without one of its own. */
export function readSubscription(
  subscription: Stripe.Subscription,
  standard: string | Stripe.PaymentMethod | null,
  renewalMinor: number | null,
): ProviderSubscription {
  const [item] = subscription.items.data;
  const method = subscription.default_payment_method ?? standard;
  return {
    id: idOf(subscription),
    status: oneOf(subscriptionStatuses, subscription.status),
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
    endedAt: maybeMs(subscription.ended_at),
    card: readCard(method),
    methodId: idOf(method),
    renewalMinor,
  };
}

/** When a subscription is scheduled to end; null: it renews. A flag or a date says so, and either may be set without the other. */
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
