import type Stripe from "stripe";
import { type ProviderCard, readCard } from "./cards.ts";
import { idOf, ms, maybeMs, oneOf, type Sold, soldBy } from "./fields.ts";

const subscriptionStatuses = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The provider's objects as far as we read them: our words, milliseconds, minor units, currencies in capitals. */
export type Checkout = {
  id: string;
  url: string | null;
  state: "open" | "complete" | "expired";
  invoiceId: string | null;
  subscriptionId: string | null;
  orderId: string | null;
  createdAt: number;
  expiresAt: number;
};

export type ProviderSubscription = {
  id: string;
  status: SubscriptionStatus;
  /** The order whose checkout began it; null: it was made elsewhere, in the provider's dashboard say. */
  orderId: string | null;
  /** Which plan and interval its price was made for: the price says so itself, for its lookup key may have moved on. */
  sold: Sold | null;
  priceId: string | null;
  amountMinor: number;
  currency: string;
  startedAt: number;
  periodStartsAt: number;
  periodEndsAt: number;
  /** On hold: somebody told the provider not to collect; it stays `active` there all the same. */
  collection: "automatic" | "on-hold";
  cancelsAt: number | null;
  endedAt: number | null;
  card: ProviderCard | null;
  /** What its next invoice is charged to: a card, or another means of payment. */
  methodId: string | null;
  /** What its next renewal comes to with its discounts, before the balance; null: the price, or nothing is known. */
  renewalMinor: number | null;
};

export function readCheckout(checkout: Stripe.Checkout.Session): Checkout {
  return {
    id: checkout.id,
    url: checkout.url,
    state: oneOf(["open", "complete", "expired"], checkout.status ?? "open"),
    invoiceId: idOf(checkout.invoice),
    subscriptionId: idOf(checkout.subscription),
    orderId: checkout.client_reference_id,
    createdAt: ms(checkout.created),
    expiresAt: ms(checkout.expires_at),
  };
}

/** `standard` is the customer's default means of payment, for a subscription that isn't tied to one of its own. */
export function readSubscription(
  subscription: Stripe.Subscription,
  standard: string | Stripe.PaymentMethod | null,
  renewalMinor: number | null,
): ProviderSubscription {
  const [item] = subscription.items.data;
  const method = subscription.default_payment_method ?? standard;
  return {
    id: subscription.id,
    status: oneOf(subscriptionStatuses, subscription.status),
    orderId: subscription.metadata.order ?? null,
    sold: item ? soldBy(item.price) : null,
    priceId: item?.price.id ?? null,
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

/** When a subscription ends by what was asked for; null: it renews. A flag or a date says so, and may be set without the other. */
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
