import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { API_VERSION } from "../src/events/events.ts";
import { openCheckout, setUpStripeEmulator, startReceiver, WEBHOOK_SECRET } from "./driver.ts";

const local = await setUpStripeEmulator({ webhookSecretPrevious: "local-previous-secret" });
const closing: (() => unknown)[] = [];

afterEach(async () => {
  await local.control("disorder", {});
  for await (const { id } of local.stripe.webhookEndpoints.list())
    await local.stripe.webhookEndpoints.update(id, { disabled: true });
  for (const close of closing.splice(0)) close();
});

async function listen(
  events: Stripe.WebhookEndpointCreateParams.EnabledEvent[],
  ...how: Parameters<typeof startReceiver>
) {
  const receiver = await startReceiver(...how);
  closing.push(receiver.close);
  await local.stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: events });
  return receiver;
}

const expire = async () => {
  const { session } = await openCheckout(local.stripe);
  return local.control("checkout", { session: session.id, outcome: "expired" });
};
const count = (types: string[], wanted: string): number => types.filter((type) => type === wanted).length;

describe("webhooks", () => {
  test("have Stripe's signature, with both secrets during a roll", async () => {
    const receiver = await listen(["checkout.session.expired"]);
    await expire();
    const [webhook] = receiver.received;
    for (const secret of [WEBHOOK_SECRET, "local-previous-secret"]) {
      const event = await local.stripe.webhooks.constructEventAsync(
        webhook?.body ?? "",
        webhook?.signature ?? "",
        secret,
        undefined,
        Stripe.createSubtleCryptoProvider(),
      );
      expect(event).toMatchObject({
        type: "checkout.session.expired",
        api_version: API_VERSION,
        livemode: false,
        data: { object: { object: "checkout.session", status: "expired" } },
      });
    }
    await expect(
      local.stripe.webhooks.constructEventAsync(webhook?.body ?? "", webhook?.signature ?? "", "another"),
    ).rejects.toThrow();
  });

  test("are sent only to endpoints that subscribed to their type, and not to a disabled one", async () => {
    const receiver = await listen(["invoice.paid"]);
    expect((await expire()).events).toMatchObject([{ type: "checkout.session.expired", deliveries: [] }]);
    const [endpoint] = (await local.stripe.webhookEndpoints.list({ limit: 1 })).data;
    await local.stripe.webhookEndpoints.update(String(endpoint?.id), { enabled_events: ["*"], disabled: true });
    await expire();
    expect(receiver.received).toEqual([]);
  });

  test("are sent again after a failure, and the control call waits for that", async () => {
    const receiver = await listen(["checkout.session.expired"], [500]);
    const answer = await expire();
    expect(answer.events).toMatchObject([{ deliveries: [{ status: 500 }, { status: 200 }] }]);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1);
    expect(await local.stripe.events.retrieve(answer.events[0]?.id ?? "")).toMatchObject({ pending_webhooks: 0 });
  });

  test("allow the site to call back while they are delivered", async () => {
    const { customer, session } = await openCheckout(local.stripe);
    const seen: (string | null)[] = [];
    // The site's sync: it fetches the event's object, and may change something, which causes another event.
    const sync = async (): Promise<void> => {
      seen.push((await local.stripe.checkout.sessions.retrieve(session.id)).status);
      await local.stripe.customers.update(
        customer.id,
        { metadata: { synced: "yes" } },
        { idempotencyKey: `sync-${customer.id}` },
      );
    };
    await listen(["invoice.paid", "checkout.session.completed"], [], sync);
    const answer = await local.control("checkout", { session: session.id, outcome: "paid" });
    expect(seen).toEqual(["complete", "complete"]);
    expect(answer.events.filter(({ deliveries }) => deliveries[0]?.status === 200).map(({ type }) => type)).toEqual([
      "invoice.paid",
      "checkout.session.completed",
    ]);
  });

  test("of an API call are delivered and retried after its answer", async () => {
    const { session } = await openCheckout(local.stripe);
    const receiver = await listen(["checkout.session.expired"], [503]);
    await local.stripe.checkout.sessions.expire(session.id);
    await receiver.until(2);
    expect(receiver.types()).toEqual(["checkout.session.expired", "checkout.session.expired"]);
  });

  test("can be listed by type and time", async () => {
    await local.control("clock", { advanceDays: 1 / 24 });
    const {
      events: [expired],
    } = await expire();
    const { created } = await local.stripe.events.retrieve(String(expired?.id));
    const { data } = await local.stripe.events.list({
      types: ["checkout.session.expired", "invoice.paid"],
      created: { gte: created },
    });
    expect(data).toMatchObject([{ id: expired?.id, type: "checkout.session.expired" }]);
    expect((await local.stripe.events.list({ type: "invoice.paid", created: { gte: created } })).data).toEqual([]);
  });
});

describe("configured disorder", () => {
  test("duplicates every event, and stops when it is cleared", async () => {
    const receiver = await listen(["checkout.session.expired"]);
    await local.control("disorder", { duplicate: 1 });
    expect((await expire()).events).toMatchObject([{ deliveries: [{ status: 200 }, { status: 200 }] }]);
    await local.control("disorder", {});
    await expire();
    expect(receiver.received).toHaveLength(3);
  });

  test("loses the next events, or all of some types", async () => {
    const receiver = await listen(["checkout.session.expired"]);
    await local.control("disorder", { drop: ["checkout.session.expired"] });
    expect((await expire()).events).toMatchObject([{ deliveries: [] }]);
    await local.control("disorder", { drop: 1 });
    await expire();
    await expire();
    expect(count(receiver.types(), "checkout.session.expired")).toBe(1);
  });

  test("delivers in a different order, or late", async () => {
    const receiver = await listen(["customer.subscription.created", "invoice.paid", "checkout.session.completed"]);
    await local.control("disorder", { shuffle: true, delayMs: 200 });
    const { session } = await openCheckout(local.stripe);
    const started = Date.now();
    await local.control("checkout", { session: session.id, outcome: "paid" });
    expect(Date.now() - started).toBeGreaterThanOrEqual(190);
    expect(receiver.types()).toEqual(["checkout.session.completed", "invoice.paid", "customer.subscription.created"]);
  });

  test.each([
    // kind, what the SDK does with it, how many customers were created anyway
    ["429", { statusCode: 429, type: "StripeRateLimitError" }, 0],
    ["html", { type: "StripeAPIError" }, 0],
    ["reset", { type: "StripeConnectionError" }, 1],
  ])("answers %s to a number of calls, and then normally under the same key", async (kind, error, made) => {
    const email = `${kind}@example.com`;
    await local.control("disorder", { apiFault: { kind, next: 1 } });
    await expect(local.stripe.customers.create({ email }, { idempotencyKey: `fault-${kind}` })).rejects.toMatchObject(
      error,
    );
    expect((await local.stripe.customers.list({ email })).data).toHaveLength(made);
    await local.stripe.customers.create({ email }, { idempotencyKey: `fault-${kind}` });
    expect((await local.stripe.customers.list({ email })).data).toHaveLength(1);
  });
});
