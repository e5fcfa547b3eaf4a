import type Stripe from "stripe";
import type { StripeEmulator } from "./driver.ts";

export const SECONDS_PER_DAY = 86_400;

export const at = (text: string): number => Date.parse(`${text}Z`) / 1000;
export const say = (seconds: number | null | undefined): string =>
  seconds == null ? "never" : new Date(seconds * 1000).toISOString().slice(0, 19);

export async function nowOf(local: StripeEmulator): Promise<number> {
  const { now = 0 } = await local.control("clock", { advanceDays: 0 });
  return now;
}

/** Advances the clock to a time, and returns the events on the way. */
export async function advanceTo(local: StripeEmulator, moment: number): Promise<string[]> {
  const seconds = moment - (await nowOf(local));
  if (seconds < 0) throw new Error(`The clock can't go back to ${say(moment)}.`);
  const { events } = await local.control("clock", { advanceDays: seconds / SECONDS_PER_DAY });
  return events.map(({ type }) => type);
}

interface Terms {
  amount?: number;
  interval?: Stripe.PriceCreateParams.Recurring.Interval;
  currency?: string;
}

/** A product's price, named after it on the invoice's lines. */
export async function newPrice(
  stripe: Stripe,
  name: string,
  { amount = 600, interval = "month", currency = "eur" }: Terms = {},
): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name });
  return stripe.prices.create({
    product: product.id,
    currency,
    unit_amount: amount,
    recurring: { interval },
    tax_behavior: "inclusive",
  });
}

export async function newCustomer(stripe: Stripe, card: string | null = "pm_card_visa"): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: "ada@example.com", address: { country: "IE" } });
  return card === null ? customer : useCard(stripe, customer, card);
}

/** The card that the customer's next invoices are charged to. */
export async function useCard(stripe: Stripe, customer: Stripe.Customer, card: string): Promise<Stripe.Customer> {
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
}

export const subscribe = (
  stripe: Stripe,
  customer: Stripe.Customer,
  price: Stripe.Price,
  extra: Stripe.SubscriptionCreateParams = {},
): Promise<Stripe.Subscription> =>
  stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], ...extra });

export const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error("The subscription has no item.");
  return item;
};

export const invoicesOf = async (stripe: Stripe, subscription: Stripe.Subscription): Promise<Stripe.Invoice[]> =>
  (await stripe.invoices.list({ subscription: subscription.id, limit: 100 })).data;

export const latestOf = (stripe: Stripe, subscription: Stripe.Subscription): Promise<Stripe.Invoice> =>
  stripe.subscriptions
    .retrieve(subscription.id)
    .then(({ latest_invoice }) => stripe.invoices.retrieve(String(latest_invoice)));

/** A line's description and amount, as on a receipt. */
export const linesOf = ({ lines }: Stripe.Invoice): [string | null, number][] =>
  lines.data.map(({ description, amount }) => [description, amount]);

/** Cleans up, so that one test's subscription doesn't renew in the next test. */
export async function endAll(stripe: Stripe): Promise<void> {
  const { data } = await stripe.subscriptions.list({ limit: 100 });
  const running = data.filter(({ status }) => status !== "incomplete_expired");
  await Promise.all(running.map(({ id }) => stripe.subscriptions.cancel(id)));
}
