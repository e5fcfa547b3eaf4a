import Stripe from "stripe";
import { controlAt } from "stripe-emulator/control";
import { afterAll } from "vitest";
import { emulatorUnderContract } from "#tests/support/billing/stripe-contract.ts";
import { runEmulator } from "#tests/support/site/run-emulator.ts";

/** A Stripe emulator without a site, the official SDK for it, and its control calls. It runs until the file's last test. */
export async function setUpStripeEmulator() {
  const contract = emulatorUnderContract("emulator-tests");
  const { origin, close } = await runEmulator(contract.kind);
  afterAll(() => contract.close(origin, close));
  const { hostname: host, port } = new URL(origin);
  const sdkWith = (key: string, settings: Stripe.StripeConfig = {}) =>
    new Stripe(key, {
      host,
      port: Number(port),
      protocol: "http",
      maxNetworkRetries: 0,
      telemetry: false,
      ...settings,
    });
  return { origin, stripe: sdkWith("local-key"), sdkWith, control: controlAt(origin) };
}

/** A customer with a session for that price, as the site opens it. */
export async function openCheckout(stripe: Stripe, price: string) {
  const customer = await stripe.customers.create({ email: "ada@example.com" });
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price, quantity: 1 }],
    success_url: "http://localhost:8787/payment/success?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://localhost:8787/payment/cancelled?order=ord_1",
    client_reference_id: "ord_1",
    metadata: { order: "ord_1" },
    subscription_data: { metadata: { order: "ord_1", plan: "small" } },
  });
  return { customer, session };
}

/** A product's monthly price, named after it on the invoice's lines. */
export async function newPrice(stripe: Stripe, name: string, amount = 600): Promise<Stripe.Price> {
  const product = await stripe.products.create({ name });
  return stripe.prices.create({
    product: product.id,
    currency: "eur",
    unit_amount: amount,
    recurring: { interval: "month" },
    tax_behavior: "inclusive",
  });
}

/** A customer with a card, which their invoices are charged to. */
export async function newCustomer(stripe: Stripe): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: "ada@example.com", address: { country: "IE" } });
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
}
