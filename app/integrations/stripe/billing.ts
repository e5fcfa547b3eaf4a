import type Stripe from "stripe";
import { withAsides, type PlannedChange } from "./aside.ts";
import type { Connection } from "./checkout.ts";
import { type ProviderInvoice, readInvoice } from "./invoices.ts";
import { wholeList } from "./lists.ts";
import { fetchCharges, type ProviderCharge, readCharges } from "./money-back.ts";
import { type ProviderSubscription, readCheckout, readSubscription, type Checkout } from "./objects.ts";
import { fetchRenewals } from "./renewals.ts";
import { fetchTaxRates } from "./taxes.ts";
import { readPayment, type ProviderPayment } from "./payments.ts";
import { fetchSchedules, type ScheduleCard } from "./planned.ts";

/** Of a customer that was deleted. */
export const nothingLeft: Billing = {
  isDeleted: true,
  email: null,
  creditMinor: 0,
  creditCurrency: null,
  ...{
    subscriptions: [],
    invoices: [],
    checkouts: [],
    payments: [],
    charges: [],
    plannedChanges: [],
    scheduleCards: [],
  },
};

/**
 * Three lists for the usual customer, without discounts: what one of them says by the way isn't asked for again. The customer stands in their
 * subscriptions, a payment holds its last charge, a schedule is named by the subscription that it leads, and an invoice that is
 * paid says what became of its checkout.
 */
export async function fetchBilling(connection: Connection, customer: string, wanted?: BillingParts): Promise<Billing> {
  const { stripe, within } = connection;
  const [owned, listedInvoices, payments] = await Promise.all([
    fetchOwned(connection, customer),
    wholeList((page) => stripe.invoices.list({ customer, expand: ["data.payments"], ...page }, within())),
    wholeList((page) =>
      stripe.paymentIntents.list({ customer, expand: ["data.latest_charge.refunds"], ...page }, within()),
    ),
  ]);
  await fetchTaxRates(connection, listedInvoices);
  const { holder, schedules } = owned;
  const lives = holder.deleted ? null : holder;
  const standard = lives?.invoice_settings.default_payment_method ?? null;
  const renewals = await fetchRenewals(connection, owned.subscriptions, holder);
  const subscriptions = owned.subscriptions.map((subscription) =>
    readSubscription(subscription, standard, renewals.get(subscription.id) ?? null),
  );
  const invoices = listedInvoices.map(readInvoice);
  const tries = payments.map(readPayment);
  const isTold = wanted?.awaited.every((orderId) => isPaidFor(orderId, subscriptions, invoices)) ?? false;
  const [charges, checkouts] = await Promise.all([
    chargesOf(connection, customer, payments, tries),
    isTold ? [] : wholeList((page) => stripe.checkout.sessions.list({ customer, ...page }, within())),
  ]);
  return {
    isDeleted: lives === null,
    email: lives && (lives.email ?? ""),
    // The provider counts what a customer owes: there, credit is below zero.
    creditMinor: 0 - (lives?.balance ?? 0),
    creditCurrency: lives?.currency?.toUpperCase() ?? null,
    subscriptions,
    invoices,
    checkouts: checkouts.map(readCheckout),
    payments: tries,
    charges,
    plannedChanges: withAsides(schedules.plannedChanges, owned.subscriptions),
    scheduleCards: schedules.scheduleCards,
  };
}

/** The plan that an order's checkout began is there, and its first invoice is paid. */
function isPaidFor(orderId: string, subscriptions: ProviderSubscription[], invoices: ProviderInvoice[]): boolean {
  const begun = subscriptions.find((subscription) => subscription.orderId === orderId);
  return invoices.some(
    ({ subscriptionId, cause, state }) => subscriptionId === begun?.id && cause === "new-plan" && state === "paid",
  );
}

/** Every try that failed is a charge, of which a payment names the last: only one that has failed, and isn't over, needs them all. */
function chargesOf(
  connection: Connection,
  customer: string,
  payments: Stripe.PaymentIntent[],
  tries: Billing["payments"],
): Promise<ProviderCharge[]> {
  const mayHaveOlder = tries.some(({ state, failure }) => state !== "succeeded" && failure !== null);
  return mayHaveOlder ? fetchCharges(connection, customer) : readCharges(connection, payments.flatMap(lastChargeOf));
}

function lastChargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge[] {
  return charge !== null && typeof charge === "object" ? [charge] : [];
}

/** Subscriptions with their customer in them, and what is planned for them. */
async function fetchOwned(connection: Connection, customer: string) {
  const { stripe, within } = connection;
  const expand = ["data.default_payment_method", "data.customer"];
  const subscriptions = await wholeList((page) =>
    stripe.subscriptions.list({ customer, status: "all", expand, ...page }, within()),
  );
  const [named] = subscriptions.map((subscription) => subscription.customer);
  // One that follows the customer's default card is shown with it, and that is only an id here.
  const followsDefault = subscriptions.some((own) => own.ended_at === null && own.default_payment_method === null);
  const isScheduled = subscriptions.some(({ schedule }) => schedule !== null);
  const [holder, schedules] = await Promise.all([
    named && typeof named === "object" && !followsDefault
      ? named
      : stripe.customers.retrieve(customer, { expand: ["invoice_settings.default_payment_method"] }, within()),
    isScheduled ? fetchSchedules(connection, customer) : { plannedChanges: [], scheduleCards: [] },
  ]);
  return { holder, subscriptions, schedules };
}

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
