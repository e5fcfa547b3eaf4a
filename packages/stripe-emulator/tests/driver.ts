import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import Stripe from "stripe";
import { afterAll } from "vitest";
import { controlAt } from "../src/control-client.ts";
import { type AccountOptions, startEmulator } from "../src/node/index.ts";

export const WEBHOOK_SECRET = "local-stripe-webhook-secret";

/** How one is started: on Node, unless whoever runs these tests has another way, such as one that records the traffic. */
interface Starter {
  start(options: AccountOptions): Promise<{ origin: string; close: () => Promise<void> }>;
}

const { EMULATOR_STARTER } = process.env;
const { start }: Starter = EMULATOR_STARTER
  ? // The module that the variable names.
    ((await import(/* @vite-ignore */ pathToFileURL(EMULATOR_STARTER).href)) as Starter)
  : { start: startEmulator };

/** A separate Stripe emulator, the official SDK for it, and its control calls. */
export async function startStripeEmulator(options: AccountOptions = {}) {
  const { origin, close } = await start({ orderKeys: ["order", "number"], ...options });
  const url = new URL(origin);
  return {
    origin,
    stripe: sdkFor(url, "local-key"),
    sdkWith: (key: string, settings: Stripe.StripeConfig = {}) => sdkFor(url, key, settings),
    control: controlAt(origin),
    close,
  };
}

const sdkFor = (url: URL, key: string, settings: Stripe.StripeConfig = {}): Stripe =>
  new Stripe(key, {
    host: url.hostname,
    port: Number(url.port),
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
    ...settings,
  });

export type StripeEmulator = Awaited<ReturnType<typeof startStripeEmulator>>;

/** The emulator of a test file: it runs until the file's last test. */
export async function setUpStripeEmulator(options: AccountOptions = {}): Promise<StripeEmulator> {
  const local = await startStripeEmulator(options);
  afterAll(() => local.close());
  return local;
}

/** A customer with a session for a monthly price of 6.00 €, as the site opens it. */
export async function openCheckout(
  stripe: Stripe,
  extra: Stripe.Checkout.SessionCreateParams = {},
  interval: "month" | "year" = "month",
) {
  const product = await stripe.products.create({ name: "Small" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "eur",
    unit_amount: 600,
    recurring: { interval },
    tax_behavior: "inclusive",
  });
  const customer = await stripe.customers.create({ email: "ada@example.com" });
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "http://localhost:8787/payment/success?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://localhost:8787/payment/cancelled?order=ord_1",
    client_reference_id: "ord_1",
    metadata: { order: "ord_1" },
    subscription_data: { metadata: { order: "ord_1", plan: "small" } },
    ...extra,
  });
  return { customer, price, session };
}

/** The same, paid on its page with a card of that number, or by bank debit. */
export async function buy(local: StripeEmulator, card = "4242424242424242") {
  const opened = await openCheckout(local.stripe);
  await fetch(`${local.origin}/checkout/${opened.session.id}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(card === "bank" ? { bank: "succeeds" } : { testCard: card }),
  });
  if (card === "bank") await local.control("clock", { advanceDays: 6 });
  const [charge] = (await local.stripe.charges.list({ customer: opened.customer.id })).data;
  if (charge === undefined) throw new Error("The checkout left no charge.");
  return { ...opened, charge };
}

/** The error of a call that must be refused. */
export const refusal = (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => Promise.reject(new Error("The call was not refused.")),
    (error: Stripe.errors.StripeError) => error,
  );

export interface Received {
  body: string;
  signature: string;
  event: Stripe.Event;
}

/**
 * Receives webhooks as the site would: returns `answers` one after the other, then always 200. `meanwhile` runs before
 * each answer, as the site's sync does.
 */
export async function startReceiver(
  answers: number[] = [],
  meanwhile = (_event: Stripe.Event): Promise<unknown> => Promise.resolve(),
) {
  const received: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event: Stripe.Event = JSON.parse(body);
    await meanwhile(event);
    received.push({ body, signature: String(request.headers["stripe-signature"]), event });
    response.writeHead(answers.shift() ?? 200).end();
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return {
    received,
    url: `http://127.0.0.1:${address.port}/webhooks/stripe`,
    types: () => received.map(({ event }) => event.type),
    /** Resolves when this many webhooks have arrived. */
    until: (count: number) =>
      new Promise<void>((resolve) => (received.length >= count ? resolve() : waiting.push({ count, resolve }))),
    close: () => server.close(),
  };
}
