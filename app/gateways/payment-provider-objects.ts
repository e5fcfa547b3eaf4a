import type Stripe from "stripe";
import type { PlannedChange } from "./payment-provider-changes.ts";
import type { ProviderCharge } from "./payment-provider-money-back.ts";
import { type ProviderCard, readCard } from "./payment-provider-cards.ts";
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

export type ProviderSubscription = {
  id: string;
  status: SubscriptionStatus;
  /** Which plan and interval its price was made for: the price says so itself, for its lookup key may have moved on. */
  sold: { planId: string; interval: "month" | "year" } | null;
  amountMinor: number;
  currency: string;
  startedAt: number;
  periodEndsAt: number;
  cancelsAt: number | null;
  endedAt: number | null;
  card: ProviderCard | null;
};

export type InvoiceLine = {
  description: string;
  amountMinor: number;
  periodStartsAt: number;
  periodEndsAt: number;
};

export type ProviderInvoice = {
  id: string;
  state: "draft" | "open" | "paid" | "void";
  cause: "new-plan" | "renewal" | "change";
  /** What was asked for after discount and credit, tax included. */
  amountMinor: number;
  taxMinor: number;
  discountMinor: number;
  creditMinor: number;
  currency: string;
  createdAt: number;
  paidAt: number | null;
  attempts: number;
  /** When the provider tries to collect it again by itself. */
  nextTryAt: number | null;
  paymentIds: string[];
  subscriptionId: string | null;
  receiptUrl: string | null;
  billedTo: { name: string | null; address: string[]; vatIds: string[] };
  lines: InvoiceLine[];
};

export type Billing = {
  /** Where the provider's own mails go; null for a customer that was deleted there. */
  email: string | null;
  /** What is taken off the next charges. */
  creditMinor: number;
  subscriptions: ProviderSubscription[];
  invoices: ProviderInvoice[];
  checkouts: Checkout[];
  payments: ProviderPayment[];
  charges: ProviderCharge[];
  plannedChanges: PlannedChange[];
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

/** `standard` is the customer's default card, for a subscription that isn't tied to one of its own. */
export function readSubscription(
  subscription: Stripe.Subscription,
  standard: ProviderCard | null,
): ProviderSubscription {
  const [item] = subscription.items.data;
  const own = subscription.default_payment_method;
  return {
    id: subscription.id,
    status: oneOf(subscriptionStatuses, subscription.status),
    sold: item ? soldBy(item.price) : null,
    amountMinor: item?.price.unit_amount ?? 0,
    currency: subscription.currency.toUpperCase(),
    startedAt: ms(subscription.start_date),
    periodEndsAt: ms(item?.current_period_end ?? subscription.start_date),
    cancelsAt: subscription.cancel_at_period_end
      ? ms(item?.current_period_end ?? subscription.start_date)
      : maybeMs(subscription.cancel_at),
    endedAt: maybeMs(subscription.ended_at),
    card: own ? readCard(own) : standard,
  };
}

export function readInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  const sum = (parts: { amount: number }[] | null | undefined) =>
    (parts ?? []).reduce((all, part) => all + part.amount, 0);
  return {
    id: invoice.id,
    state: invoiceState(invoice.status),
    cause: causes[invoice.billing_reason ?? ""] ?? "change",
    amountMinor: invoice.amount_due,
    taxMinor: sum(invoice.total_taxes),
    discountMinor: sum(invoice.total_discount_amounts),
    // A customer's balance is negative for credit: what was used up is the step towards zero.
    creditMinor: Math.max(0, (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance),
    currency: invoice.currency.toUpperCase(),
    createdAt: ms(invoice.created),
    paidAt: maybeMs(invoice.status_transitions.paid_at),
    attempts: invoice.attempt_count,
    nextTryAt: maybeMs(invoice.next_payment_attempt),
    paymentIds: (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []),
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    receiptUrl: invoice.hosted_invoice_url ?? null,
    billedTo: {
      name: invoice.customer_name,
      address: addressLines(invoice.customer_address),
      vatIds: (invoice.customer_tax_ids ?? []).flatMap((taxId) => taxId.value ?? []),
    },
    lines: invoice.lines.data.map((line) => ({
      description: line.description ?? "",
      amountMinor: line.amount,
      periodStartsAt: ms(line.period.start),
      periodEndsAt: ms(line.period.end),
    })),
  };
}

/** Written off is not paid; should the money come all the same, it says so. */
function invoiceState(status: Stripe.Invoice.Status | null): ProviderInvoice["state"] {
  return status === null || status === "uncollectible" ? "void" : oneOf(["draft", "open", "paid", "void"], status);
}

export function soldBy({ metadata, recurring }: Stripe.Price): ProviderSubscription["sold"] {
  const interval = (["month", "year"] as const).find((known) => known === recurring?.interval);
  return metadata.plan && interval ? { planId: metadata.plan, interval } : null;
}

const causes: Record<string, ProviderInvoice["cause"]> = {
  subscription_create: "new-plan",
  subscription_cycle: "renewal",
  subscription_update: "change",
};

function addressLines(address: Stripe.Address | null): string[] {
  if (!address) return [];
  const town = [address.postal_code, address.city].filter(Boolean).join(" ");
  return [address.line1, address.line2, town, address.state, address.country].filter(
    (line): line is string => typeof line === "string" && line !== "",
  );
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
