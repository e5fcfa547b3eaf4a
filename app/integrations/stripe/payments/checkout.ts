import type { AccountId, OrderId } from "#app/core/id.ts";
import type { CustomerId, PriceId } from "#app/core/stripe/ids.ts";
import { Stripe } from "stripe";
import type { ShownPrice } from "#app/integrations/stripe/prices.ts";

/** The SDK, and request options that put all calls of a request under one deadline. */
export type Connection = { stripe: Stripe; within: (more?: Stripe.RequestOptions) => Stripe.RequestOptions };

export type CheckoutInput = {
  orderId: OrderId;
  accountId: AccountId;
  customerId: CustomerId;
  price: ShownPrice;
  successUrl: string;
  cancelUrl: string;
};

/** Checkout settings from the product's config. */
export type CheckoutSettings = { automaticTax: boolean; billingAddress: "auto" | "required" };

export function checkoutParameters(
  input: CheckoutInput,
  priceId: PriceId,
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
    // The quote's currency is charged, wherever the customer is.
    adaptive_pricing: { enabled: false },
    // Stripe prints the customer's stored details on invoices: by default it stores nothing that is typed at checkout.
    customer_update: { name: "auto", address: "auto" },
    // The first invoice can't be corrected later, so a business enters its name and VAT ID before paying.
    tax_id_collection: { enabled: true },
    billing_address_collection: billingAddress,
    ...(automaticTax && { automatic_tax: { enabled: true } }),
  };
}

/** Replayed Stripe errors after which a checkout gives up on an idempotency key. */
const failuresMax = 5;

/**
 * For an idempotency key that isn't new for every attempt. Stripe replays its own server error under the same key for a day: such a
 * replay says nothing about now, so the next key in the sequence is used.
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
