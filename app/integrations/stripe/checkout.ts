import { Stripe } from "stripe";

/** The SDK, and request options that keep all calls of a request under one deadline. */
export type Connection = { stripe: Stripe; within: (more?: Stripe.RequestOptions) => Stripe.RequestOptions };

export type CheckoutInput = {
  orderId: string;
  accountId: string;
  customerId: string;
  priceKey: string;
  successUrl: string;
  cancelUrl: string;
};

/** What the team's config says about every checkout. */
export type CheckoutSettings = { automaticTax: boolean; billingAddress: "auto" | "required" };

export function checkoutParameters(
  input: CheckoutInput,
  priceId: string,
  { automaticTax, billingAddress }: CheckoutSettings,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { order: input.orderId, account: input.accountId };
  return {
    mode: "subscription",
    customer: input.customerId,
    client_reference_id: input.orderId,
    line_items: [{ price: priceId, quantity: 1 }],
    success_url: input.successUrl,
    cancel_url: input.cancelUrl,
    metadata,
    subscription_data: { metadata },
    // The currency of the quote is the currency of the charge, wherever the customer is.
    adaptive_pricing: { enabled: false },
    // Stripe writes on invoices what the customer has: by default it keeps nothing of what is typed at checkout.
    customer_update: { name: "auto", address: "auto" },
    // The first invoice can't be corrected later, so a business enters its name and VAT ID before it pays.
    tax_id_collection: { enabled: true },
    billing_address_collection: billingAddress,
    ...(automaticTax && { automatic_tax: { enabled: true } }),
  };
}

/** Failures of Stripe's own that a checkout retries under one idempotency key. */
const failuresMax = 5;

/**
 * For a key that isn't made anew with every wish. Stripe answers a key that met a failure of its own with that failure for a
 * day: such a replay says nothing about now, and the next key in the row is asked instead.
 */
export async function underKey<Made>(key: string, call: (key: string) => Promise<Made>): Promise<Made> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call(failures === 0 ? key : `${key}:${failures}`);
    } catch (error) {
      if (!isReplayedFailure(error) || failures === failuresMax) throw error;
    }
  }
}

function isReplayedFailure(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || (error.statusCode ?? 0) < 500) return false;
  return error.headers?.["idempotent-replayed"] === "true";
}

export async function findPrice(stripe: Stripe, lookupKey: string, options: Stripe.RequestOptions): Promise<string> {
  const found = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 }, options);
  const [price] = found.data;
  if (!price) throw new Error(`The catalogue has no price ${lookupKey}: run npm run stripe:setup`);
  return price.id;
}
