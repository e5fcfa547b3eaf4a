import type { OrderId } from "#app/core/id.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import { withDeferredChanges, type ScheduledChange } from "./subscriptions/deferred-change.ts";
import type { Connection } from "./payments/checkout.ts";
import { type ProviderInvoice, readInvoice } from "./payments/invoices.ts";
import { wholeList } from "./lists.ts";
import { fetchCharges, type ProviderCharge, readCharges } from "./payments/charges.ts";
import { type ProviderSubscription, readSubscription, withDebt } from "./read-subscription.ts";
import { readCheckout, type Checkout } from "./read-checkout.ts";
import { fetchRenewals } from "./subscriptions/renewals.ts";
import { fetchTaxRates } from "./payments/taxes.ts";
import { readPayment, type ProviderPayment } from "./payments/payments.ts";
import { fetchSchedules, type ScheduleCard } from "./subscriptions/schedules.ts";

/** The billing state of a customer who was deleted. */
export const nothingLeft: Billing = {
  isDeleted: true,
  email: null,
  invoiceFooter: null,
  creditMinor: 0,
  creditCurrency: null,
  subscriptions: [],
  invoices: [],
  checkouts: [],
  payments: [],
  charges: [],
  scheduledChanges: [],
  scheduleCards: [],
};

/**
 * Fetches all that Stripe knows about a customer. That takes several requests, and a checkout may be paid between two. If its invoice was
 * read before the payment, everything is read once more: an unpaid invoice of a completed checkout means that a payment is processing.
 */
export async function fetchBilling(
  connection: Connection,
  customerId: CustomerId,
  wanted?: BillingParts,
): Promise<Billing> {
  const billing = await readBilling(connection, customerId, wanted);
  return billing.checkouts.some((checkout) => isPaidSince(checkout, billing.invoices))
    ? readBilling(connection, customerId, wanted)
    : billing;
}

function isPaidSince({ state, isPaid, invoiceId }: Checkout, invoices: ProviderInvoice[]): boolean {
  const isOver = invoices.some((invoice) => invoice.id === invoiceId && ["paid", "void"].includes(invoice.state));
  return state === "complete" && isPaid && invoiceId !== null && !isOver;
}

/**
 * For the usual customer, without discounts, three lists are enough, because what one of them includes isn't requested again: subscriptions
 * contain their customer, a payment contains its last charge, a schedule names its subscription, and a paid invoice shows what became of
 * its checkout.
 */
async function readBilling(connection: Connection, customerId: CustomerId, wanted?: BillingParts): Promise<Billing> {
  const { stripe, within } = connection;
  const [owned, listedInvoices, payments] = await Promise.all([
    fetchOwned(connection, customerId),
    wholeList((page) => stripe.invoices.list({ customer: customerId, expand: ["data.payments"], ...page }, within())),
    wholeList((page) =>
      stripe.paymentIntents.list({ customer: customerId, expand: ["data.latest_charge.refunds"], ...page }, within()),
    ),
  ]);
  await fetchTaxRates(connection, listedInvoices);
  const { customer, schedules } = owned;
  const existing = customer.deleted ? null : customer;
  const defaultMethod = existing?.invoice_settings.default_payment_method ?? null;
  const renewals = await fetchRenewals(connection, owned.subscriptions, customer);
  const invoices = listedInvoices.map(readInvoice);
  const subscriptions = owned.subscriptions.map((subscription) =>
    withDebt(readSubscription(subscription, defaultMethod, renewals.get(subscription.id) ?? null), invoices),
  );
  const tries = payments.map(readPayment);
  const isPaymentVisible = wanted?.awaited.every((orderId) => isPaidFor(orderId, subscriptions, invoices)) ?? false;
  const [charges, checkouts] = await Promise.all([
    chargesOf(connection, customerId, payments, tries),
    isPaymentVisible
      ? []
      : wholeList((page) => stripe.checkout.sessions.list({ customer: customerId, ...page }, within())),
  ]);
  return {
    isDeleted: existing === null,
    email: existing && (existing.email ?? ""),
    invoiceFooter: existing?.invoice_settings.footer ?? null,
    // Stripe's balance is what a customer owes, so credit is below zero.
    creditMinor: 0 - (existing?.balance ?? 0),
    creditCurrency: existing?.currency?.toUpperCase() ?? null,
    subscriptions,
    invoices,
    checkouts: checkouts.map(readCheckout),
    payments: tries,
    charges,
    scheduledChanges: withDeferredChanges(schedules.scheduledChanges, owned.subscriptions),
    scheduleCards: schedules.scheduleCards,
  };
}

/** The subscription of an order's checkout exists, and its first invoice is paid. */
function isPaidFor(orderId: OrderId, subscriptions: ProviderSubscription[], invoices: ProviderInvoice[]): boolean {
  const begun = subscriptions.find((subscription) => subscription.orderId === orderId);
  return invoices.some(
    ({ subscriptionId, billingReason, state }) =>
      subscriptionId === begun?.id && billingReason === "new-plan" && state === "paid",
  );
}

/**
 * Every failed attempt is a charge, and a payment contains only its last one. So all charges are listed, but only for a payment that has
 * failed and isn't over.
 */
function chargesOf(
  connection: Connection,
  customerId: CustomerId,
  payments: Stripe.PaymentIntent[],
  tries: Billing["payments"],
): Promise<ProviderCharge[]> {
  const mayHaveOlder = tries.some(({ state, failure }) => state !== "succeeded" && failure !== null);
  return mayHaveOlder ? fetchCharges(connection, customerId) : readCharges(connection, payments.flatMap(lastChargeOf));
}

function lastChargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge[] {
  return charge !== null && typeof charge === "object" ? [charge] : [];
}

/** Subscriptions with their expanded customer and scheduled changes. */
async function fetchOwned(connection: Connection, customerId: CustomerId) {
  const { stripe, within } = connection;
  const expand = ["data.default_payment_method", "data.customer"];
  const subscriptions = await wholeList((page) =>
    stripe.subscriptions.list({ customer: customerId, status: "all", expand, ...page }, within()),
  );
  const [named] = subscriptions.map((subscription) => subscription.customer);
  // A subscription that uses the customer's default card shows that card, which is only an id here.
  const followsDefault = subscriptions.some((own) => own.ended_at === null && own.default_payment_method === null);
  const isScheduled = subscriptions.some(({ schedule }) => schedule !== null);
  const [customer, schedules] = await Promise.all([
    named && typeof named === "object" && !followsDefault
      ? named
      : stripe.customers.retrieve(customerId, { expand: ["invoice_settings.default_payment_method"] }, within()),
    isScheduled ? fetchSchedules(connection, customerId) : { scheduledChanges: [], scheduleCards: [] },
  ]);
  return { customer, subscriptions, schedules };
}

/** `awaited` are the orders whose checkout may have changed. Checkouts are listed only while the first invoice of one isn't paid. */
export type BillingParts = { awaited: OrderId[] };

export type Billing = {
  /** The customer was deleted at Stripe: subscriptions have ended, and nothing can be charged any more. */
  isDeleted: boolean;
  /** The address of Stripe's own emails; null for a customer deleted there. */
  email: string | null;
  /** At the foot of Stripe's own invoices. */
  invoiceFooter: string | null;
  /** Stripe deducts it from the next charges, or adds it if it is negative. A customer has one currency at Stripe, or none so far. */
  creditMinor: number;
  creditCurrency: string | null;
  subscriptions: ProviderSubscription[];
  invoices: ProviderInvoice[];
  checkouts: Checkout[];
  payments: ProviderPayment[];
  charges: ProviderCharge[];
  scheduledChanges: ScheduledChange[];
  scheduleCards: ScheduleCard[];
};
