import type Stripe from "stripe";
import type { Connection } from "./payment-provider-checkout.ts";

/** `expires` is the last month in which it can be charged: `YYYY-MM`. */
export type ProviderCard = { brand: string; last4: string; expires: string };

type Method = string | Stripe.PaymentMethod | null;

/** The card behind a means of payment that was asked for in full; null for anything else, a bank account too. */
export function readCard(method: Method): ProviderCard | null {
  const card = method && typeof method === "object" ? method.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_year, exp_month } = card;
  return { brand, last4, expires: `${exp_year}-${String(exp_month).padStart(2, "0")}` };
}

/** Where a customer changes cards, for all of their plans. */
export async function openPortal(connection: Connection, customer: string, return_url: string): Promise<string> {
  const { stripe, within } = connection;
  await followDefaultCard(connection, customer);
  return (await stripe.billingPortal.sessions.create({ customer, return_url }, within())).url;
}

/**
 * A checkout ties its plan to the card that paid, and a new card in the portal becomes the customer's default only: the plan
 * would go on being charged to the old one. So the old one is made the default and plans are let go, to follow whatever the
 * default will be.
 */
async function followDefaultCard({ stripe, within }: Connection, customer: string): Promise<void> {
  const [holder, subscriptions] = await Promise.all([
    stripe.customers.retrieve(customer, {}, within()),
    stripe.subscriptions.list({ customer, limit: 20 }, within()),
  ]);
  const tied = subscriptions.data.filter((subscription) => subscription.default_payment_method !== null);
  const [card] = tied.map((subscription) => subscription.default_payment_method);
  if (holder.deleted || !card) return;
  if (holder.invoice_settings.default_payment_method === null) {
    const default_payment_method = typeof card === "string" ? card : card.id;
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method } }, within());
  }
  await Promise.all(tied.map(({ id }) => stripe.subscriptions.update(id, { default_payment_method: "" }, within())));
}
