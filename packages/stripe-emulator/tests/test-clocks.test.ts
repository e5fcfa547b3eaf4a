import type Stripe from "stripe";
import { expect, test } from "vitest";
import { refusal, setUpStripeEmulator } from "./driver.ts";
import { newPrice, nowOf, SECONDS_PER_DAY, subscribe } from "./plans-driver.ts";

const local = await setUpStripeEmulator();
const { stripe } = local;

/** A customer on a test clock, with a card. */
async function customerOn(clock: Stripe.TestHelpers.TestClock): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: "ada@example.com", test_clock: clock.id });
  const { id } = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: id } });
}

test("an advance renews due subscriptions, and every object of the customer names the clock", async () => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: await nowOf(local), name: "A month" });
  const customer = await customerOn(clock);
  const subscription = await subscribe(stripe, customer, await newPrice(stripe, "Small"));
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  await stripe.subscriptionSchedules.release(schedule.id);
  const target = clock.frozen_time + 32 * SECONDS_PER_DAY;
  const advancing = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: target });
  expect(advancing).toMatchObject({
    status: "advancing",
    status_details: { advancing: { target_frozen_time: target } },
  });
  const ready = await stripe.testHelpers.testClocks.retrieve(clock.id);
  expect(ready).toMatchObject({ status: "ready", frozen_time: target, status_details: {} });
  const invoices = await stripe.invoices.list({ customer: customer.id });
  expect(invoices.data.map((invoice) => invoice.billing_reason)).toEqual(["subscription_cycle", "subscription_create"]);
  for (const { test_clock: named } of [customer, subscription, schedule, ...invoices.data])
    expect(named).toBe(clock.id);
});

test("a clock only moves forward, and is deleted with its customers", async () => {
  const now = await nowOf(local);
  const clocks = stripe.testHelpers.testClocks;
  await expect(refusal(clocks.create({ frozen_time: now - SECONDS_PER_DAY }))).resolves.toMatchObject({
    param: "frozen_time",
  });
  const clock = await clocks.create({ frozen_time: now + 10 * SECONDS_PER_DAY });
  expect((await nowOf(local)) - clock.frozen_time).toBeLessThan(60);
  await expect(refusal(clocks.advance(clock.id, { frozen_time: clock.frozen_time }))).resolves.toMatchObject({
    param: "frozen_time",
  });
  const customer = await customerOn(clock);
  const other = await stripe.customers.create({ email: "off-the-clock@example.com" });
  await expect(clocks.del(clock.id)).resolves.toMatchObject({ id: clock.id, deleted: true });
  await expect(stripe.customers.retrieve(customer.id)).resolves.toMatchObject({ deleted: true });
  await expect(stripe.customers.retrieve(other.id)).resolves.not.toMatchObject({ deleted: true });
  await expect(refusal(clocks.retrieve(clock.id))).resolves.toMatchObject({ statusCode: 404 });
});

test("an advance is at most two intervals of the shortest subscription, and without any two years", async () => {
  const clocks = stripe.testHelpers.testClocks;
  const clock = await clocks.create({ frozen_time: await nowOf(local) });
  const customer = await customerOn(clock);
  const days = (count: number) => ({ frozen_time: clock.frozen_time + count * SECONDS_PER_DAY });
  expect(await refusal(clocks.advance(clock.id, days(732)))).toMatchObject({ param: "frozen_time" });
  await subscribe(stripe, customer, await newPrice(stripe, "Year", { interval: "year" }));
  expect(await refusal(clocks.advance(clock.id, days(732)))).toMatchObject({ param: "frozen_time" });
  await subscribe(stripe, customer, await newPrice(stripe, "Month"));
  expect(await refusal(clocks.advance(clock.id, days(63)))).toMatchObject({
    statusCode: 400,
    message: expect.stringContaining("two intervals"),
  });
  await expect(clocks.advance(clock.id, days(58))).resolves.toMatchObject({ status: "advancing" });
});
