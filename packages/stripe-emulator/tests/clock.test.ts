import { expect, test } from "vitest";
import { periodEnd } from "../src/time/period-end.ts";
import { openCheckout, setUpStripeEmulator, startStripeEmulator, startReceiver, WEBHOOK_SECRET } from "./driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

const count = (types: string[], wanted: string): number => types.filter((type) => type === wanted).length;

test("the clock expires a session at its time and not before", async () => {
  const { session } = await openCheckout(stripe);
  await local.control("clock", { advanceDays: 0.99 });
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: "open" });
  expect((await local.control("clock", { advanceDays: 0.02 })).events).toMatchObject([
    { type: "checkout.session.expired" },
  ]);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: "expired" });
});

test("the clock renews in order, each invoice at its own time, and webhooks are still signed with real time", async () => {
  const receiver = await startReceiver();
  await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ["invoice.paid"] });
  const { customer, session } = await openCheckout(stripe);
  await local.control("checkout", { session: session.id, outcome: "paid" });
  const [before] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  await local.control("clock", { advanceDays: 95 });
  const invoices = (await stripe.invoices.list({ customer: customer.id })).data;
  expect(invoices.map(({ billing_reason }) => billing_reason)).toEqual([
    "subscription_cycle",
    "subscription_cycle",
    "subscription_cycle",
    "subscription_create",
  ]);
  expect(invoices[2]).toMatchObject({
    created: before?.items.data[0]?.current_period_end,
    period_end: before?.items.data[0]?.current_period_end,
    status: "paid",
  });
  const last = receiver.received.at(-1);
  await expect(
    stripe.webhooks.constructEventAsync(last?.body ?? "", last?.signature ?? "", WEBHOOK_SECRET),
  ).resolves.toMatchObject({ type: "invoice.paid" });
});

test("the clock ends a subscription that was cancelled, unless that was undone", async () => {
  const { customer, session } = await openCheckout(stripe);
  await local.control("checkout", { session: session.id, outcome: "paid" });
  const [{ id } = { id: "" }] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at: null,
    canceled_at: null,
  });
  await local.control("clock", { advanceDays: 32 });
  const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect(ending.cancel_at).toBe(ending.items.data[0]?.current_period_end);
  const { events } = await local.control("clock", { advanceDays: 32 });
  expect(
    count(
      events.map(({ type }) => type),
      "customer.subscription.deleted",
    ),
  ).toBe(1);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: "canceled",
    ended_at: ending.cancel_at,
  });
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
});

test("the clock counts months from the anchor, so the 31st returns after February", () => {
  const at = (text: string): number => Date.parse(`${text}T10:00:00Z`) / 1000;
  const monthly = { interval: "month", interval_count: 1 };
  expect(periodEnd(at("2027-01-31"), at("2027-01-31"), monthly)).toBe(at("2027-02-28"));
  expect(periodEnd(at("2027-01-31"), at("2027-02-28"), monthly)).toBe(at("2027-03-31"));
  expect(periodEnd(at("2028-02-29"), at("2028-02-29"), { interval: "year", interval_count: 1 })).toBe(at("2029-02-28"));
});

test("the clock starts in the past only for an empty account, and returns to the present by the same number of days", async () => {
  const fresh = await startStripeEmulator();
  const before = Date.now() / 1000;
  const { now } = await fresh.control("clock", { startDaysAgo: 400 });
  expect(before - Number(now)).toBeCloseTo(400 * 86_400, -1);
  const { created } = await fresh.stripe.customers.create();
  expect(before - created).toBeCloseTo(400 * 86_400, -1);
  await fresh.control("clock", { advanceDays: 100.25 });
  const { now: present } = await fresh.control("clock", { advanceDays: 299.75 });
  expect(Math.abs(Number(present) - Date.now() / 1000)).toBeLessThan(2);
  await expect(fresh.control("clock", { startDaysAgo: 1 })).rejects.toThrow("before anything has happened");
  await fresh.close();
});
