import type { CustomerId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import type { Connection } from "./checkout.ts";
import { idOf } from "#app/integrations/stripe/fields.ts";

/** Where a customer changes cards, for all of their plans. */
export async function openBillingPortal(
  connection: Connection,
  customer: CustomerId,
  return_url: string,
): Promise<string> {
  const { stripe, within } = connection;
  const [configuration] = await Promise.all([
    findConfiguration(connection, return_url),
    followDefaultCard(connection, customer),
  ]);
  const input = { customer, return_url, ...(configuration && { configuration }) };
  return (await stripe.billingPortal.sessions.create(input, within())).url;
}

/** The key in a portal configuration's metadata that names the site for which `npm run stripe:setup` made it. */
export const portalOrigin = "foyer_origin";

/** A configuration created by API is never the account's default, so it is passed by id. Null means the dashboard's default. */
async function findConfiguration({ stripe, within }: Connection, returnUrl: string): Promise<string | null> {
  const { origin } = new URL(returnUrl);
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 }, within());
  return data.find(({ metadata }) => metadata?.[portalOrigin] === origin)?.id ?? null;
}

/**
 * A checkout ties its plan to the card that paid, and a new card in the portal becomes only the customer's default: the plan would still
 * be charged to the old one. So plans are untied to follow the customer's default, and the newest plan's card becomes that default first:
 * opening the portal never changes which card is charged. The default may be older than the plan: a purchase after an earlier plan has
 * ended leaves the old default in place.
 */
async function followDefaultCard({ stripe, within }: Connection, customer: CustomerId): Promise<void> {
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
  // Stripe's types don't say that "" unsets it, as in every other field; the emulator's test asserts that we rely on it.
  await Promise.all(tied.map(({ id }) => stripe.subscriptions.update(id, { default_payment_method: "" }, within())));
}

/** A first payment that failed: its card never paid, and Stripe refuses to change an expired subscription. */
const neverBegan: Stripe.Subscription.Status[] = ["incomplete", "incomplete_expired"];
