import type Stripe from "stripe";
import type { Connection } from "./payment-provider-checkout.ts";
import { idOf } from "./payment-provider-objects.ts";

/** Where a customer changes cards, for all of their plans. */
export async function openPortal(connection: Connection, customer: string, return_url: string): Promise<string> {
  const { stripe, within } = connection;
  await followDefaultCard(connection, customer);
  return (await stripe.billingPortal.sessions.create({ customer, return_url }, within())).url;
}

/**
 * A checkout ties its plan to the card that paid, and a new card in the portal becomes the customer's default only: the plan
 * would still be charged to the old one. So plans are untied, to follow the customer's default, and the card of the newest one
 * becomes that default first: opening the portal never changes which card is charged. The default may be older than the plan: a
 * purchase after an earlier plan has ended leaves the old default in place.
 */
async function followDefaultCard({ stripe, within }: Connection, customer: string): Promise<void> {
  const [holder, subscriptions] = await Promise.all([
    stripe.customers.retrieve(customer, {}, within()),
    stripe.subscriptions.list({ customer, limit: 20 }, within()),
  ]);
  const tied = subscriptions.data
    .filter(({ status, default_payment_method: card }) => card !== null && !neverBegan.includes(status))
    .toSorted((left, right) => right.created - left.created);
  const default_payment_method = idOf(tied[0]?.default_payment_method);
  if (holder.deleted || !default_payment_method) return;
  if (idOf(holder.invoice_settings.default_payment_method) !== default_payment_method) {
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method } }, within());
  }
  // Stripe's types don't say that "" unsets it, as it does in every other field; the emulator's test holds that we rely on it.
  await Promise.all(tied.map(({ id }) => stripe.subscriptions.update(id, { default_payment_method: "" }, within())));
}

/** A first payment that failed: its card never paid, and Stripe refuses to change what has expired. */
const neverBegan: Stripe.Subscription.Status[] = ["incomplete", "incomplete_expired"];
