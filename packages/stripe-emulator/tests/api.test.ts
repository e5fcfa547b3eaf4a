import { setTimeout as pause } from "node:timers/promises";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { openCheckout, refusal, setUpStripeEmulator } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

describe("authentication and routing", () => {
  test("a key that begins with local- is accepted, and any other is refused with 401", async () => {
    await expect(local.sdkWith("local-other").customers.list()).resolves.toMatchObject({ object: "list" });
    const error = await refusal(local.sdkWith("sk_test_1").customers.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(error.statusCode).toBe(401);
  });

  test("an unknown parameter is refused by its full name, and has no effect", async () => {
    const error = await refusal(
      stripe.customers.create({
        email: "x@example.com",
        invoice_settings: { rendering_options: { template: "hello" } },
      }),
    );
    expect(error).toMatchObject({
      statusCode: 400,
      code: "parameter_unknown",
      param: "invoice_settings[rendering_options]",
      type: "StripeInvalidRequestError",
    });
    await expect(stripe.customers.list({ email: "x@example.com" })).resolves.toMatchObject({ data: [] });
  });

  test("an unknown object is 404 in a path and 400 in a parameter", async () => {
    await expect(refusal(stripe.subscriptions.retrieve("sub_none"))).resolves.toMatchObject({
      statusCode: 404,
      code: "resource_missing",
      param: "id",
    });
    await expect(
      refusal(stripe.prices.create({ product: "prod_none", currency: "eur", unit_amount: 1 })),
    ).resolves.toMatchObject({ statusCode: 400, code: "resource_missing", param: "product" });
  });

  test("a path that Stripe has and the emulator doesn't is 404", async () => {
    await expect(refusal(stripe.quotes.list())).resolves.toMatchObject({
      statusCode: 404,
      type: "StripeInvalidRequestError",
    });
  });
});

test("a version that isn't the emulator's is refused, whatever the call", async () => {
  const old = local.sdkWith("local-key", { apiVersion: "2019-01-01" as Stripe.LatestApiVersion });
  expect(await refusal(old.customers.list())).toMatchObject({
    statusCode: 400,
    type: "StripeInvalidRequestError",
    message: expect.stringContaining("Invalid Stripe API version: 2019-01-01"),
  });
});

describe("idempotency keys", () => {
  test("the same key and parameters replay the saved answer", async () => {
    const first = await stripe.customers.create({ email: "twice@example.com" }, { idempotencyKey: "twice" });
    const second = await stripe.customers.create({ email: "twice@example.com" }, { idempotencyKey: "twice" });
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers["idempotent-replayed"]).toBe("true");
    expect((await stripe.customers.list({ email: "twice@example.com" })).data).toHaveLength(1);
  });

  test("concurrent calls under one key create one object: those during the first are refused with 409", async () => {
    const slowly = local.sdkWith("local-key", { httpClient: Stripe.createFetchHttpClient(sendInTwo) });
    const call = () => slowly.customers.create({ email: "race@example.com" }, { idempotencyKey: "race" });
    const made = await Promise.allSettled(Array.from({ length: 5 }, call));
    const refused = made.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
    const ids = made.flatMap((each) => (each.status === "fulfilled" ? [each.value.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect((await stripe.customers.list({ email: "race@example.com" })).data).toHaveLength(1);
  });

  test("have up to 255 characters", async () => {
    const call = (length: number) => stripe.customers.create({}, { idempotencyKey: "k".repeat(length) });
    expect(await refusal(call(256))).toMatchObject({ statusCode: 400, message: expect.stringContaining("255") });
    await expect(call(255)).resolves.toMatchObject({ object: "customer" });
  });

  test("the same key with other parameters is an error", async () => {
    await stripe.customers.create({ email: "one@example.com" }, { idempotencyKey: "other" });
    await expect(
      refusal(stripe.customers.create({ email: "two@example.com" }, { idempotencyKey: "other" })),
    ).resolves.toMatchObject({ statusCode: 400, type: "StripeIdempotencyError" });
  });

  test("a refusal by the endpoint is also saved, and replayed after its reason has gone", async () => {
    const input = { product: "prod_later", currency: "eur", unit_amount: 100 };
    const call = () => stripe.prices.create(input, { idempotencyKey: "too-early" });
    expect(await refusal(call())).toMatchObject({ statusCode: 400, code: "resource_missing" });
    await stripe.products.create({ id: "prod_later", name: "Later" });
    const replayed = await refusal(call());
    expect(replayed).toMatchObject({ statusCode: 400, code: "resource_missing" });
    expect(replayed.headers).toMatchObject({ "idempotent-replayed": "true" });
    await expect(stripe.prices.create(input, { idempotencyKey: "later" })).resolves.toMatchObject({ unit_amount: 100 });
  });

  test("an internal failure of Stripe is saved and replayed, and only another key succeeds", async () => {
    const call = (key: string) => stripe.customers.create({ email: "500@example.com" }, { idempotencyKey: key });
    await local.control("disorder", { apiFault: { kind: "500", next: 1 } });
    for (let time = 0; time < 2; time += 1)
      expect(await refusal(call("failed"))).toMatchObject({ statusCode: 500, type: "StripeAPIError" });
    expect((await stripe.customers.list({ email: "500@example.com" })).data).toEqual([]);
    await call("failed-2");
    expect((await stripe.customers.list({ email: "500@example.com" })).data).toHaveLength(1);
  });

  test("while a call is running its key is in use, and afterwards it replays the answer", async () => {
    const call = (stripe: Stripe) =>
      stripe.customers.create({ email: "slow@example.com" }, { idempotencyKey: "slow" }).then(
        () => 200,
        (error: Stripe.errors.StripeError) => error.code ?? error.type,
      );
    await local.control("disorder", { apiFault: { kind: "slow", next: 1 } });
    expect(await call(local.sdkWith("local-key", { timeout: 500 }))).toBe("StripeConnectionError");
    expect(await call(stripe)).toBe("idempotency_key_in_use");
    await expect.poll(() => call(stripe), { timeout: 15_000, interval: 500 }).toBe(200);
    expect((await stripe.customers.list({ email: "slow@example.com" })).data).toHaveLength(1);
  });

  test("a key is deleted after a day of the account's clock", async () => {
    const call = () => stripe.customers.create({ email: "day@example.com" }, { idempotencyKey: "day" });
    const first = await call();
    await local.control("clock", { advanceDays: 0.9 });
    expect((await call()).id).toBe(first.id);
    await local.control("clock", { advanceDays: 0.2 });
    expect((await call()).id).not.toBe(first.id);
  });

  test("a call that was refused before its work began leaves its key free", async () => {
    await refusal(stripe.customers.create({ tax_exempt: "perhaps" }, { idempotencyKey: "free" }));
    await expect(stripe.customers.create({ tax_exempt: "none" }, { idempotencyKey: "free" })).resolves.toMatchObject({
      object: "customer",
    });
  });
});

describe("lists", () => {
  test("a list continues at its cursor, in both directions", async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.unshift((await stripe.customers.create({ email: "page@example.com" })).id);
    const first = await stripe.customers.list({ email: "page@example.com", limit: 2 });
    expect(first).toMatchObject({ has_more: true, data: [{ id: made[0] }, { id: made[1] }] });
    const last = await stripe.customers.list({ email: "page@example.com", limit: 3, starting_after: String(made[1]) });
    expect(last.data.map(({ id }) => id)).toEqual(made.slice(2));
    expect(last.has_more).toBe(false);
    const back = await stripe.customers.list({ email: "page@example.com", limit: 2, ending_before: String(made[3]) });
    expect(back.data.map(({ id }) => id)).toEqual([made[1], made[2]]);
    expect(
      await stripe.customers.list({ email: "page@example.com", limit: 2 }).autoPagingToArray({ limit: 10 }),
    ).toHaveLength(5);
  });

  test("a cursor of another list is refused", async () => {
    await expect(refusal(stripe.customers.list({ starting_after: "cus_none" }))).resolves.toMatchObject({
      statusCode: 400,
      code: "resource_missing",
    });
  });
});

describe("objects", () => {
  test("a lookup key belongs to one price, and is transferred only on request", async () => {
    const { id } = await stripe.products.create({ name: "Keyed" });
    const price = {
      product: id,
      currency: "eur",
      unit_amount: 100,
      recurring: { interval: "month" as const },
      lookup_key: "keyed",
    };
    const first = await stripe.prices.create(price);
    await expect(refusal(stripe.prices.create(price))).resolves.toMatchObject({ statusCode: 400, param: "lookup_key" });
    const second = await stripe.prices.create({ ...price, unit_amount: 200, transfer_lookup_key: true });
    const { data } = await stripe.prices.list({ lookup_keys: ["keyed"], active: true, expand: ["data.product"] });
    expect(data).toMatchObject([{ id: second.id, product: { name: "Keyed" }, unit_amount: 200 }]);
    expect((await stripe.prices.retrieve(first.id)).lookup_key).toBeNull();
    expect(second.unit_amount_decimal?.toString()).toBe("200");
  });

  test("a price whose lookup key was transferred has none on its subscriptions either", async () => {
    const { customer, price, session } = await openCheckout(stripe);
    await stripe.prices.update(price.id, { lookup_key: "moves" });
    await local.control("checkout", { session: session.id, outcome: "paid" });
    const terms = {
      product: String(price.product),
      currency: "eur",
      recurring: { interval: "month" as const },
      unit_amount: 700,
    };
    await stripe.prices.create({ ...terms, lookup_key: "moves", transfer_lookup_key: true });
    const { data } = await stripe.subscriptions.list({ customer: customer.id });
    expect(data).toMatchObject([
      { items: { data: [{ price: { id: price.id, unit_amount: 600, lookup_key: null } }] } },
    ]);
  });

  test("credit is a negative balance, and the sum of its lines", async () => {
    const customer = await stripe.customers.create({});
    await stripe.customers.createBalanceTransaction(
      customer.id,
      { amount: -500, currency: "eur" },
      { idempotencyKey: "line_1" },
    );
    await stripe.customers.createBalanceTransaction(
      customer.id,
      { amount: -500, currency: "eur" },
      { idempotencyKey: "line_1" },
    );
    const line = await stripe.customers.createBalanceTransaction(customer.id, { amount: 200, currency: "eur" });
    expect(line).toMatchObject({ ending_balance: -300, type: "adjustment" });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -300 });
    expect((await stripe.customers.listBalanceTransactions(customer.id)).data.map(({ amount }) => amount)).toEqual([
      200, -500,
    ]);
  });

  test("metadata is merged, and an empty value removes its key", async () => {
    const { id } = await stripe.customers.create({ metadata: { account: "acc_1", note: "x" } });
    expect((await stripe.customers.update(id, { metadata: { note: "", plan: "free" } })).metadata).toEqual({
      account: "acc_1",
      plan: "free",
    });
  });

  test("a deleted customer has no running plan, is returned by id only, and can't be deleted again", async () => {
    const { customer, session } = await openCheckout(stripe);
    await local.control("checkout", { session: session.id, outcome: "paid" });
    expect(await stripe.customers.del(customer.id)).toMatchObject({
      id: customer.id,
      object: "customer",
      deleted: true,
    });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true });
    const { data } = await stripe.subscriptions.list({ customer: customer.id, status: "all" });
    expect(data.map((subscription) => subscription.status)).toEqual(["canceled"]);
    expect((await stripe.invoices.list({ customer: customer.id })).data).toMatchObject([{ status: "paid" }]);
    const { data: events } = await stripe.events.list({ types: ["customer.deleted"] });
    expect(events[0]?.data.object).toMatchObject({ id: customer.id, email: customer.email });
    for (const call of [
      () => stripe.customers.del(customer.id),
      () => stripe.customers.update(customer.id, { name: "Ada" }),
    ]) {
      await expect(refusal(call())).resolves.toMatchObject({ statusCode: 404, code: "resource_missing" });
    }
    expect((await stripe.customers.list({ limit: 100 })).data.map(({ id }) => id)).not.toContain(customer.id);
  });

  test("more than four levels can't be expanded, as with Stripe", async () => {
    await expect(
      refusal(stripe.invoices.list({ expand: ["data.payments.data.payment.payment_intent"] })),
    ).resolves.toMatchObject({ statusCode: 400, param: "expand" });
  });

  test("expanding a field that isn't expandable is refused", async () => {
    const { session } = await openCheckout(stripe);
    await expect(
      refusal(stripe.checkout.sessions.retrieve(session.id, { expand: ["nonsense"] })),
    ).resolves.toMatchObject({ statusCode: 400, message: expect.stringContaining("cannot be expanded") });
  });
});

const BETWEEN_MS = 100;

/** As over a slow line: the second half of the body comes a while after the first, so that calls made together overlap. */
function sendInTwo(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const bytes = new TextEncoder().encode(String(init.body ?? ""));
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
      await pause(BETWEEN_MS);
      controller.enqueue(bytes.subarray(bytes.length / 2));
      controller.close();
    },
  });
  const sent = { ...init, body, duplex: "half" };
  return fetch(url, init.method === "POST" ? sent : init);
}
