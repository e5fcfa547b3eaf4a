import type Stripe from "stripe";
import type { PlannedChange } from "./payment-provider-aside.ts";
import type { ProviderInvoice } from "./payment-provider-invoices.ts";
import type { ProviderCharge } from "./payment-provider-money-back.ts";
import { type ProviderCard, readCard } from "./payment-provider-cards.ts";
import type { ScheduleCard } from "./payment-provider-planned.ts";
import type { ProviderPayment } from "./payment-provider-payments.ts";

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

/** What a price is for. */
export type Sold = { planId: string; interval: "month" | "year" };

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

/** `awaited`: the orders whose checkout may have news. Checkouts are listed only for one whose first invoice isn't paid. */
export type BillingParts = { awaited: string[] };

export type Billing = {
  /** The provider was told to forget this customer: what ran has ended, and nothing can be charged any more. */
  isDeleted: boolean;
  /** Where the provider's own mails go; null for a customer that was deleted there. */
  email: string | null;
  /** What is taken off the next charges, or below zero added to them, in the one currency that a customer has there, if any so far. */
  creditMinor: number;
  creditCurrency: string | null;
  subscriptions: ProviderSubscription[];
  invoices: ProviderInvoice[];
  checkouts: Checkout[];
  payments: ProviderPayment[];
  charges: ProviderCharge[];
  plannedChanges: PlannedChange[];
  scheduleCards: ScheduleCard[];
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

export function soldBy({ metadata, recurring }: Stripe.Price): Sold | null {
  const interval = (["month", "year"] as const).find((known) => known === recurring?.interval);
  return metadata.plan && interval ? { planId: metadata.plan, interval } : null;
}

/** A word we don't know is a bug worth hearing of: the provider has learnt something that our tables haven't. */
export function oneOf<Word extends string>(words: readonly Word[], word: string): Word {
  const known = words.find((candidate) => candidate === word);
  if (!known) throw new Error(`The payment provider says "${word}", which no table here knows`);
  return known;
}

export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (!reference) return null;
  return typeof reference === "string" ? reference : reference.id;
}

export function ms(seconds: number): number {
  return seconds * 1000;
}

export function maybeMs(seconds: number | null | undefined): number | null {
  return seconds ? seconds * 1000 : null;
}
