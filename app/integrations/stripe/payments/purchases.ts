import type { CheckoutId } from "#app/core/stripe/ids.ts";
import { Stripe } from "stripe";
import { callStripe } from "../call-stripe.ts";
import { checkoutParameters, type CheckoutSettings, type Connection, underKey } from "./checkout.ts";
import { differences, findPrice } from "#app/integrations/stripe/prices.ts";
import { readCheckout } from "#app/integrations/stripe/read-checkout.ts";
import { idOf } from "#app/integrations/stripe/fields.ts";
import type { PaymentProvider } from "#app/integrations/stripe/payment-provider.ts";

/** The Stripe calls of a purchase, from the catalogue to the checkout's end. */
export function purchases({ stripe, within }: Connection, settings: CheckoutSettings) {
  return {
    createCustomer: ({ accountId, email, invoiceFooter, instead }) =>
      callStripe(async () => {
        const input = { metadata: { account: accountId } };
        const create = (key: string) => stripe.customers.create(input, within({ idempotencyKey: key }));
        const id = idOf(await underKey(`customer:${accountId}${instead ? `:${instead}` : ""}`, create));
        // A separate call: an idempotency key accepts the same parameters only, and these may change before the next attempt.
        await stripe.customers.update(id, { email, invoice_settings: { footer: invoiceFooter } }, within());
        return id;
      }),

    openCheckout: (input) =>
      callStripe(async () => {
        const price = await findPrice(stripe, input.price, within());
        const checkout = await stripe.checkout.sessions.create(
          checkoutParameters(input, price, settings),
          within({ idempotencyKey: `checkout:${input.orderId}:${input.customerId}` }),
        );
        return readCheckout(checkout);
      }),

    isCheckoutOpen: (checkoutId) =>
      callStripe(async () => (await stripe.checkout.sessions.retrieve(checkoutId, {}, within())).status === "open"),

    expireCheckout: (checkoutId) =>
      callStripe(async () => {
        const status = await expireOpen({ stripe, within }, checkoutId);
        return status === "complete" ? ("complete" as const) : ("ended" as const);
      }),

    expireOtherCheckouts: (customer, orderId) =>
      callStripe(async () => {
        const open = await stripe.checkout.sessions.list({ customer, status: "open", limit: 10 }, within());
        const others = open.data.filter((checkout) => checkout.client_reference_id !== orderId);
        await Promise.all(others.map((checkout) => expireOpen({ stripe, within }, idOf(checkout))));
        return null;
      }),

    comparePrices: (shown) => callStripe(() => differences(stripe, shown, within)),
  } satisfies Partial<PaymentProvider>;
}

/** Stripe refuses to expire a session that another request expired, or that was paid, in between: then what became of it counts. */
async function expireOpen(
  { stripe, within }: Connection,
  id: CheckoutId,
): Promise<Stripe.Checkout.Session.Status | null> {
  const look = async () => (await stripe.checkout.sessions.retrieve(id, {}, within())).status;
  const before = await look();
  if (before !== "open") return before;
  try {
    return (await stripe.checkout.sessions.expire(id, {}, within())).status;
  } catch (error) {
    const after = error instanceof Stripe.errors.StripeInvalidRequestError ? await look() : "open";
    if (after === "open") throw error;
    return after;
  }
}
