import { type OrderId, readId } from "#app/core/id.ts";
import type { PaymentMethodId, PriceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import {
  type Collection,
  type EndCause,
  endCauses,
  isPausedForPayment,
  type PauseCause,
  type SubscriptionStatus,
  subscriptionStatuses,
} from "#app/core/stripe/states.ts";
import type { ProviderInvoice } from "./payments/invoices.ts";
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
  createdAt: number;
  startedAt: number;
  periodStartsAt: number;
  periodEndsAt: number;
  /** Collection is paused at Stripe, although the status there stays `active`. */
  collection: Collection;
  /** The site holds its collection because of a dispute. */
  isHeldForDispute: boolean;
  cancelsAt: number | null;
  /** The site set this end, a month's notice before the period's. */
  endsByNotice: boolean;
  endedAt: number | null;
  /** Until then nothing is paid for it. Null if no trial runs. */
  trialEndsAt: number | null;
  /** Null unless its status at Stripe is `paused`. */
  pauseCause: PauseCause | null;
  /** Null while it runs, or if its owner or the team ended it. */
  endCause: EndCause | null;
  method: ProviderMethod | null;
  /** What its next invoice is charged to: a card, or another payment method. */
  methodId: PaymentMethodId | null;
  /** The amount of its next renewal with discounts, before the balance. Null if that is the price, or unknown. */
  renewalMinor: number | null;
};

/**
 * A subscription that Stripe paused because a renewal failed is unpaid as long as that renewal can be paid, whatever the team has set in
 * the dashboard.
 */
export function withDebt(subscription: ProviderSubscription, invoices: ProviderInvoice[]): ProviderSubscription {
  const isOwed = invoices.some(({ subscriptionId, state }) => subscriptionId === subscription.id && state === "open");
  return isOwed && isPausedForPayment(subscription.pauseCause) ? { ...subscription, status: "unpaid" } : subscription;
}

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
    createdAt: ms(subscription.created),
    startedAt: ms(subscription.start_date),
    periodStartsAt: ms(item?.current_period_start ?? subscription.start_date),
    periodEndsAt: ms(item?.current_period_end ?? subscription.start_date),
    collection: subscription.pause_collection ? "on-hold" : "automatic",
    isHeldForDispute: subscription.metadata["hold"] === "dispute",
    cancelsAt: readCancelsAt(subscription),
    // Dashboard and portal may have changed the end, or removed it, and left the metadata.
    endsByNotice: subscription.metadata["notice"] === String(subscription.cancel_at),
    endedAt: maybeMs(subscription.ended_at),
    trialEndsAt: subscription.status === "trialing" ? maybeMs(subscription.trial_end) : null,
    pauseCause: readPauseCause(subscription),
    endCause: readEndCause(subscription),
    method: readPaymentMethod(method),
    methodId: idOf(method),
    renewalMinor,
  };
}

function readPauseCause({ status, status_details }: Stripe.Subscription): PauseCause | null {
  if (status !== "paused") return null;
  switch (status_details?.paused.subscription.type) {
    case "pause_requested":
      return "requested";
    case "trial_end_without_payment_method":
      return "trial-ended";
    case "first_payment_failure":
      return "first-payment-failed";
    case "final_payment_failure":
      return "final-payment-failed";
    default:
      return "system";
  }
}

/** How the site marks a subscription that it ends itself: as the comment that the dashboard shows beside the cancellation. */
export const endComments: Record<EndCause, string> = {
  "payment-failed": "Its renewal wasn't paid within its period.",
  duplicate: "A newer subscription of this customer runs.",
};

function readEndCause({ ended_at, cancellation_details: details }: Stripe.Subscription): EndCause | null {
  if (ended_at === null) return null;
  // Stripe ended it after the last attempt, as its dashboard can be set.
  if (details?.reason === "payment_failed") return "payment-failed";
  return endCauses.find((cause) => details?.comment === endComments[cause]) ?? null;
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

/**
 * What a subscription is paid with. `brand` is a card's, such as `visa`, or Stripe's name of another method, such as `sepa_debit`.
 * `expires` is the last month in which a card can be charged, as `YYYY-MM`, and null for a method that doesn't expire.
 */
type ProviderMethod = { brand: string; last4: string | null; expires: string | null };

/** Reads an expanded payment method. Null if there is none, or if it isn't expanded. */
function readPaymentMethod(method: string | Stripe.PaymentMethod | null): ProviderMethod | null {
  if (!method || typeof method !== "object") return null;
  const { card, type } = method;
  if (card) {
    const month = String(card.exp_month).padStart(2, "0");
    return { brand: card.brand, last4: card.last4, expires: `${card.exp_year}-${month}` };
  }
  const account = method.sepa_debit ?? method.us_bank_account ?? method.bacs_debit ?? method.au_becs_debit;
  return { brand: type, last4: account?.last4 ?? null, expires: null };
}
