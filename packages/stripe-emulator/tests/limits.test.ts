import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { API_VERSION } from "../src/events/events.ts";
import { openCheckout, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();

test.each(["nobody", "nobody@local", "two words@example.com", "jürgen@example.com"])(
  "an email address that Stripe may refuse is refused: %s",
  async (email) => {
    const { id } = await local.stripe.customers.create({ email: "somebody@example.com" });
    const refused = {
      statusCode: 400,
      code: "email_invalid",
      param: "email",
      message: `Invalid email address: ${email}`,
    };
    expect(await refusal(local.stripe.customers.create({ email }))).toMatchObject(refused);
    expect(await refusal(local.stripe.customers.update(id, { email }))).toMatchObject(refused);
    expect(await local.stripe.customers.update(id, { email: "" })).toMatchObject({ email: null });
  },
);

test("metadata accepts 50 keys of 40 characters with values of 500 characters, and nothing larger", async () => {
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
  const create = (metadata: Record<string, string>) => local.stripe.customers.create({ metadata });
  const largest = { ...entries(49), ["k".repeat(40)]: "v".repeat(500) };
  const { id, metadata } = await create(largest);
  expect(metadata).toEqual(largest);
  const messages = await Promise.all(
    [
      create({ ["k".repeat(41)]: "v" }),
      create({ key: "v".repeat(501) }),
      create(entries(51)),
      // One more key on an object that is already full.
      local.stripe.customers.update(id, { metadata: { more: "v" } }),
    ].map(async (call) => (await refusal(call)).message),
  );
  expect(messages).toEqual([
    `Invalid key: ${"k".repeat(41)} must be a string under 40 characters`,
    `Invalid val: ${"v".repeat(501)} must be a string under 500 characters`,
    "Metadata can have up to 50 keys, but you've set 51.",
    "Metadata can have up to 50 keys, but you've set 51.",
  ]);
});

test("prices can be requested by ten lookup keys at a time, not by eleven", async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);
  expect((await local.stripe.prices.list({ lookup_keys: keys(10) })).data).toEqual([]);
  expect(await refusal(local.stripe.prices.list({ lookup_keys: keys(11) }))).toMatchObject({ param: "lookup_keys" });
});

test("a checkout's total is zero or at least the minimum charge of its currency", async () => {
  const { price } = await openCheckout(local.stripe);
  const product = typeof price.product === "string" ? price.product : price.product.id;
  const open = async (unit_amount: number, currency = "eur") => {
    const sold = { product, currency, unit_amount, recurring: { interval: "month" as const } };
    const { id } = await local.stripe.prices.create(sold);
    return openCheckout(local.stripe, { line_items: [{ price: id, quantity: 1 }] });
  };
  expect((await open(0)).session.amount_total).toBe(0);
  expect((await open(50)).session.amount_total).toBe(50);
  expect(await refusal(open(49))).toMatchObject({
    code: "amount_too_small",
    message: "The Checkout Session's total amount due must add up to at least €0.50 eur",
  });
  expect(await refusal(open(29, "gbp"))).toMatchObject({ code: "amount_too_small" });
});

test("a checkout's payment methods are restricted by the parameter of this API version, and the older one is unknown", async () => {
  const narrowed = await openCheckout(local.stripe, { allowed_payment_method_types: ["card"] });
  expect(narrowed.session).toMatchObject({ allowed_payment_method_types: ["card"], payment_method_types: ["card"] });
  const page = await (await fetch(narrowed.session.url ?? "")).text();
  expect(page).not.toMatch(/name="bank"/);
  // The SDK's types no longer contain it either.
  const older: object = { payment_method_types: ["card"] };
  expect(await refusal(openCheckout(local.stripe, older))).toMatchObject({
    code: "parameter_unknown",
    param: "payment_method_types",
  });
});

test.each([
  ["lock_timeout", 429, "lock_timeout"],
  ["429", 429, "rate_limit"],
  ["409", 409, "idempotency_key_in_use"],
] as const)(
  "a call that meets %s is refused with %i, and has no effect under its key",
  async (kind, statusCode, code) => {
    const create = () => local.stripe.customers.create({ name: kind }, { idempotencyKey: `conflict-${kind}` });
    await local.control("disorder", { apiFault: { kind, next: 1 } });
    expect(await refusal(create())).toMatchObject({ statusCode, code });
    expect(await create()).toMatchObject({ name: kind });
  },
);

test("forty reads in one second are answered up to the rate limit, and reads in the next second are answered again", async () => {
  const { id } = await local.stripe.customers.create({});
  await local.control("disorder", { rateLimit: 5 });
  const read = () =>
    local.stripe.customers.retrieve(id).then(
      () => "answered",
      () => "refused",
    );
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 40 }, read));
  // A slow machine may take longer than a second for them, and then more are allowed.
  const seconds = 1 + Math.floor((performance.now() - startedAt) / 1000);
  const answered = answers.filter((answer) => answer === "answered").length;
  expect(answered).toBeGreaterThanOrEqual(5);
  expect(answered).toBeLessThanOrEqual(5 * seconds);
  await pause(1100);
  expect(await read()).toBe("answered");
  await local.control("disorder", {});
});

test("a call above the rate limit has no effect, names the limit, and tells SDKs not to retry immediately", async () => {
  const count = async () => (await local.stripe.customers.list({ email: "limited@example.com" })).data.length;
  await local.control("disorder", { rateLimit: 1 });
  const headers = { Authorization: "Bearer local-key", "Stripe-Version": API_VERSION };
  const create = () =>
    fetch(`${local.origin}/v1/customers`, {
      method: "POST",
      headers: { ...headers, "Idempotency-Key": "above-the-limit" },
      body: new URLSearchParams({ email: "limited@example.com" }),
    });
  // Of two calls in one second, one is refused. A slow machine needs more of them for that.
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      fetch(`${local.origin}/v1/customers/cus_none`, {
        headers,
      }),
    ),
  );
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.json()).toMatchObject({ error: { type: "invalid_request_error", code: "rate_limit" } });
  expect(refused?.headers.get("stripe-should-retry")).toBe("false");
  expect(refused?.headers.get("stripe-rate-limited-reason")).toBe("global-rate");
  const tried = await create();
  await local.control("disorder", {});
  expect(await count()).toBe(tried.status === 429 ? 0 : 1);
  // The refusal wasn't saved under its key, either.
  await pause(1100);
  expect((await create()).status).toBe(200);
  expect(await count()).toBe(1);
});

test.each([
  ["kwd", 900, 905],
  ["isk", 90_000, 90_050],
])("amounts in %s that Stripe can't charge are refused", async (currency, sound, odd) => {
  const { stripe } = local;
  const refused = { statusCode: 400, message: expect.stringContaining("evenly divisible") };
  const product = await stripe.products.create({ name: "Step" });
  const price = (unit_amount: number) =>
    stripe.prices.create({ product: product.id, currency, unit_amount, recurring: { interval: "month" } });
  expect(await refusal(price(odd))).toMatchObject({ ...refused, param: "unit_amount" });
  const { id } = await price(sound);
  const customer = await stripe.customers.create({ email: "step@example.com" });
  const credit = (amount: number) => stripe.customers.createBalanceTransaction(customer.id, { amount, currency });
  expect(await refusal(credit(-5))).toMatchObject({ ...refused, param: "amount" });
  expect(await refusal(stripe.coupons.create({ amount_off: 5, currency }))).toMatchObject({
    ...refused,
    param: "amount_off",
  });
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: id }],
    default_payment_method: method.id,
  });
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
  const refund = (amount: number) => stripe.refunds.create({ charge: charge?.id ?? "", amount });
  expect(await refusal(refund(odd - sound))).toMatchObject({ ...refused, param: "amount" });
  await expect(refund(currency === "kwd" ? 10 : 100)).resolves.toMatchObject({ status: "succeeded" });
});
