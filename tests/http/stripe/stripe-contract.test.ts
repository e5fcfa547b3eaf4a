import Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { emulatorUnderContract, takeRecording } from "#tests/support/billing/stripe-contract.ts";
import { newCustomer, newPrice } from "#tests/support/billing/stripe-emulator.ts";
import { runEmulator } from "#tests/support/site/run-emulator.ts";
import { type StripeContract, stripeContract } from "#tests/stripe/contract/contract.ts";
import { type Definitions, readContract, root } from "#tests/stripe/contract/contract-file.ts";
import {
  checkAnswer,
  checkEvent,
  checkRecording,
  checkRequest,
  type Senders,
} from "#tests/stripe/contract/check-recording.ts";
import { knownDifferences } from "#tests/stripe/contract/known-differences.ts";
import { chanceOf, faults, sitesOf, withFault } from "#tests/stripe/contract/mutations.ts";
import { requestFaults } from "#tests/stripe/contract/request-mutations.ts";
import type { Call, Recording } from "#tests/stripe/contract/recording.ts";

let recording: Recording;
let contract: StripeContract;
let definitions: Definitions;

beforeAll(async () => {
  const { origin, close } = await runEmulator("recording");
  const url = new URL(origin);
  const settings = { host: url.hostname, port: Number(url.port), protocol: "http", telemetry: false } as const;
  await liveThroughBilling(new Stripe("local-key", settings), origin);
  recording = await takeRecording(origin);
  await close();
  contract = stripeContract();
  ({ definitions } = readContract());
});

/** Number of mutations of each kind. */
const tries = 60;

describe("the Stripe contract", () => {
  test("is met by the whole lifecycle of a subscription, from the catalogue to the refund", () => {
    expect(recording.calls.length).toBeGreaterThan(25);
    expect(recording.events.length).toBeGreaterThan(25);
    expect(checkRecording(recording, "product")).toEqual([]);
  });

  test("gives a reason for each known difference", () => {
    for (const { reason } of knownDifferences) expect(reason.length).toBeGreaterThan(30);
  });
});

describe("closing an emulator", () => {
  /** A call with a parameter that Stripe doesn't have, of an older version of the API. */
  async function closeAfterWrongCall(senders: Senders): Promise<void> {
    const emulator = emulatorUnderContract(senders);
    const { origin, close } = await runEmulator(emulator.kind);
    const headers = { authorization: "Bearer local-key", "stripe-version": "2024-06-20" };
    const body = new URLSearchParams({ email: "ada@example.com", loyalty: "1" });
    const answer = await fetch(`${origin}/v1/customers`, { method: "POST", headers, body });
    expect(answer.status).toBe(400);
    await emulator.close(origin, close);
  }

  test("fails with the file, the endpoint, the position, and the expected and actual values", async () => {
    const error: unknown = await closeAfterWrongCall("product").catch((caught: unknown) => caught);
    expect(String(error)).toContain("tests/http/stripe/stripe-contract.test.ts");
    const lines = [
      'POST /v1/customers request: /loyalty is "1", expected nothing: there is no such name',
      "POST /v1/customers request: header Stripe-Version is 2024-06-20, expected 2026-10-28.endive",
    ];
    for (const line of lines) expect(String(error)).toContain(line);
  });

  test("accepts the emulator's own tests of refusals", () =>
    expect(closeAfterWrongCall("emulator-tests")).resolves.toBeUndefined());
});

describe(`of ${tries} planted differences of each kind, each is reported at its position`, () => {
  test.for(Object.entries(faults))("in an answer: %s", ([, fault]) => {
    const chance = chanceOf(23);
    const answers = recording.calls.filter(({ status }) => status === 200);
    const missed = countOf(tries, () => {
      const call = chance.pick(answers);
      const endpoint = call && contract.endpointOf(call.method, call.path);
      if (!call || !endpoint) throw new Error("The recording has no answers");
      const value: unknown = JSON.parse(call.answer);
      const mutated = withFault(fault, sitesOf(definitions, typeOf(endpoint.answer), value), value, chance);
      if (mutated === null) return null;
      const findings = checkAnswer(contract, { ...call, answer: JSON.stringify(mutated.value) });
      return findings.some(({ path }) => within(path, mutated.pointer)) ? [] : [`${endpoint.name} ${mutated.pointer}`];
    });
    expect(missed).toEqual([]);
  });

  test.for(Object.entries(faults))("in an event: %s", ([, fault]) => {
    const chance = chanceOf(28);
    const missed = countOf(tries, () => {
      const event = chance.pick(recording.events);
      const type = contract.eventOf(String(Reflect.get(Object(event), "type"))) ?? "";
      const mutated = withFault(fault, sitesOf(definitions, typeOf(type), event), event, chance);
      // An event of an unknown type is reported as a whole: there is no type to check its object against.
      if (mutated === null || mutated.pointer === "/type") return null;
      const findings = checkEvent(contract, mutated.value, "webhook");
      return findings.some(({ path }) => within(path, mutated.pointer)) ? [] : [`${type} ${mutated.pointer}`];
    });
    expect(missed).toEqual([]);
  });

  test.for(Object.entries(requestFaults))("in a request: %s", ([, fault]) => {
    const chance = chanceOf(10);
    const missed = countOf(tries, () => {
      const call = chance.pick(recording.calls);
      const wrong = call && fault(call, chance);
      if (!call || !wrong) return null;
      return checkRequest(contract, wrong).length > 0 ? [] : [`${call.method} ${call.path} ${call.body}`];
    });
    expect(missed).toEqual([]);
  });

  test("an event with an object of another type, a type that isn't Stripe's or another API version", () => {
    const chance = chanceOf(20);
    const missed = countOf(tries * 3, (at) => {
      const [event, other] = [Object(chance.pick(recording.events)), Object(chance.pick(recording.events))];
      if (event.data.object.object === other.data.object.object) return null;
      const wrong = [{ data: other.data }, { type: `${event.type}_made_up` }, { api_version: "2024-06-20" }][at % 3];
      return checkEvent(contract, { ...event, ...wrong }, "webhook").length > 0 ? [] : [event.type];
    });
    expect(missed).toEqual([]);
  });

  test("an answer that isn't JSON, of another API version, or a refusal in a shape of its own", () => {
    const [call] = recording.calls;
    if (call === undefined) throw new Error("The recording has no calls");
    const refusal = (error: unknown): Call => ({ ...call, status: 400, answer: JSON.stringify(error) });
    const wrong: Call[] = [
      { ...call, answer: "<!doctype html>" },
      { ...call, headers: { ...call.headers, "stripe-version": "2024-06-20" } },
      refusal({ message: "no" }),
      refusal({ error: { type: "made_up", message: "no" } }),
      refusal({ error: { type: "card_error", message: "no", code: "made_up" } }),
      refusal({ error: { type: "card_error", message: "no", reason: "made_up" } }),
    ];
    for (const answer of wrong) expect(checkAnswer(contract, answer), answer.answer.slice(0, 200)).not.toEqual([]);
  });
});

const typeOf = (name: string) => ({ ...Object(definitions[root]?.properties?.[name]) });

/** A fault in a place is reported there or at something inside it. */
const within = (path: string, pointer: string): boolean =>
  path === pointer || path.startsWith(pointer.replace(/\/$/, "") + "/");

/** What this many tries missed. A try that found nothing to mutate is repeated. */
function countOf(count: number, attempt: (at: number) => string[] | null): string[] {
  const missed: string[] = [];
  let done = 0;
  for (let at = 0; done < count; at += 1) {
    if (at > count * 200) throw new Error(`Only ${done} of ${count} occasions for this fault`);
    const found = attempt(done);
    if (found === null) continue;
    done += 1;
    missed.push(...found);
  }
  return missed;
}

/** Calls of every kind that the product makes. */
async function liveThroughBilling(stripe: Stripe, origin: string): Promise<void> {
  await stripe.webhookEndpoints.create({ url: "http://127.0.0.1:9/webhooks", enabled_events: ["invoice.paid"] });
  const [small, large] = [await newPrice(stripe, "Small"), await newPrice(stripe, "Large", 1500)];
  await stripe.prices.list({ active: true, limit: 100 });
  const coupon = await stripe.coupons.create({ amount_off: 500, currency: "eur", duration: "once" });
  const customer = await newCustomer(stripe);
  await stripe.customers.createBalanceTransaction(customer.id, { amount: -200, currency: "eur" });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: small.id }],
    metadata: { order: "ord_1" },
  });
  const items = [{ id: String(subscription.items.data[0]?.id), price: large.id, quantity: 1 }];
  await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: "always_invoice" },
  });
  await stripe.subscriptions.update(subscription.id, { items, proration_behavior: "always_invoice" });
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  await stripe.subscriptionSchedules.release(schedule.id);
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: small.id, quantity: 1 }],
    discounts: [{ coupon: coupon.id }],
    automatic_tax: { enabled: false },
    success_url: `${origin}/success`,
    cancel_url: `${origin}/cancelled`,
  });
  await stripe.checkout.sessions.list({ customer: customer.id, status: "open", limit: 10 });
  await stripe.checkout.sessions.expire(session.id);
  const charges = await stripe.charges.list({ customer: customer.id, limit: 10 });
  for (const charge of charges.data.slice(0, 1)) await stripe.refunds.create({ charge: charge.id, amount: 100 });
  await stripe.invoices.list({ customer: customer.id, limit: 10, expand: ["data.payments"] });
  await stripe.subscriptions.list({ customer: customer.id, status: "all", expand: ["data.default_payment_method"] });
  await stripe.events.list({ limit: 100 });
  await stripe.subscriptions.cancel(subscription.id);
  await stripe.customers.del(customer.id);
  await stripe.customers.retrieve(customer.id);
}
