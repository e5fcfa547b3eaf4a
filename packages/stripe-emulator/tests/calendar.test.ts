import { afterEach, expect, test } from "vitest";
import { setUpStripeEmulator } from "./driver.ts";
import {
  advanceTo,
  at,
  endAll,
  invoicesOf,
  itemOf,
  latestOf,
  linesOf,
  newCustomer,
  newPrice,
  say,
  SECONDS_PER_DAY,
  subscribe,
} from "./plans-driver.ts";

const HOUR = 3_600;

const local = await setUpStripeEmulator();
const { stripe } = local;

afterEach(() => endAll(stripe));

/** The days on which a plan that begins at `start` is billed before `until`. */
async function billedOn(start: string, interval: "month" | "year", until: string): Promise<string[]> {
  await advanceTo(local, at(start));
  const price = await newPrice(stripe, "Small", { interval });
  const subscription = await subscribe(stripe, await newCustomer(stripe), price);
  await advanceTo(local, at(until));
  const invoices = (await invoicesOf(stripe, subscription)).reverse();
  // All invoices are paid, and each period begins where the one before it ended.
  expect(invoices.map(({ status }) => status)).toEqual(invoices.map(() => "paid"));
  const periods = invoices.map(({ lines }) => lines.data[0]?.period);
  expect(periods.slice(1).map((period) => period?.start)).toEqual(periods.slice(0, -1).map((period) => period?.end));
  expect(itemOf(await stripe.subscriptions.retrieve(subscription.id)).current_period_start).toBe(periods.at(-1)?.start);
  return periods.map((period) => say(period?.start).slice(0, 10));
}

test.each([
  {
    name: "the 31st is the last day of shorter months, and the 31st again",
    start: "2027-01-31T10:00:00",
    interval: "month" as const,
    until: "2028-03-31T12:00:00",
    days: [
      "2027-01-31",
      "2027-02-28",
      "2027-03-31",
      "2027-04-30",
      "2027-05-31",
      "2027-06-30",
      "2027-07-31",
      "2027-08-31",
      "2027-09-30",
      "2027-10-31",
      "2027-11-30",
      "2027-12-31",
      "2028-01-31",
      "2028-02-29",
      "2028-03-31",
    ],
  },
  {
    name: "the 30th too gives way to February only",
    start: "2028-12-30T23:30:00",
    interval: "month" as const,
    until: "2029-03-31T01:00:00",
    days: ["2028-12-30", "2029-01-30", "2029-02-28", "2029-03-30"],
  },
  {
    name: "29 February is the 28th in years without it, and the 29th in those with it",
    start: "2032-02-29T00:00:00",
    interval: "year" as const,
    until: "2040-03-01T00:00:00",
    days: [
      "2032-02-29",
      "2033-02-28",
      "2034-02-28",
      "2035-02-28",
      "2036-02-29",
      "2037-02-28",
      "2038-02-28",
      "2039-02-28",
      "2040-02-29",
    ],
  },
])("$name", async ({ start, interval, until, days }) => {
  expect(await billedOn(start, interval, until)).toEqual(days);
});

test("a trial is free, is announced three days before its end, and its end is the billing anchor", async () => {
  await advanceTo(local, at("2041-01-17T09:00:00"));
  const subscription = await subscribe(stripe, await newCustomer(stripe), await newPrice(stripe, "Small"), {
    trial_period_days: 14,
  });
  const end = at("2041-01-31T09:00:00");
  // The clock keeps running during the test.
  expect(Math.abs((subscription.trial_end ?? 0) - end)).toBeLessThan(10);
  const trialEnd = subscription.trial_end ?? 0;
  expect(subscription).toMatchObject({ status: "trialing", billing_cycle_anchor: trialEnd });
  const first = await latestOf(stripe, subscription);
  expect(first).toMatchObject({ status: "paid", total: 0, amount_due: 0 });
  expect(linesOf(first)).toEqual([["Trial period for Small", 0]]);

  const before = await advanceTo(local, trialEnd - 3 * SECONDS_PER_DAY - 60);
  expect(before).not.toContain("customer.subscription.trial_will_end");
  expect(await advanceTo(local, trialEnd - 3 * SECONDS_PER_DAY)).toContain("customer.subscription.trial_will_end");
  await advanceTo(local, trialEnd);
  const active = await stripe.subscriptions.retrieve(subscription.id);
  expect(active.status).toBe("active");
  expect(say(itemOf(active).current_period_end).slice(0, 10)).toBe("2041-02-28");
  expect(await latestOf(stripe, active)).toMatchObject({
    status: "draft",
    total: 600,
    billing_reason: "subscription_cycle",
  });
  await advanceTo(local, trialEnd + HOUR);
  expect(await latestOf(stripe, active)).toMatchObject({ status: "paid", amount_paid: 600 });
});

test("a change of the plan within a trial is free, and ending the trial is charged immediately", async () => {
  const [small, large] = [await newPrice(stripe, "Small"), await newPrice(stripe, "Large", { amount: 1_500 })];
  const subscription = await subscribe(stripe, await newCustomer(stripe), small, { trial_period_days: 30 });
  const changed = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: itemOf(subscription).id, price: large.id }],
    proration_behavior: "always_invoice",
  });
  expect(changed).toMatchObject({ status: "trialing", trial_end: subscription.trial_end });
  expect(changed.latest_invoice).toBe(subscription.latest_invoice);
  const ended = await stripe.subscriptions.update(subscription.id, { trial_end: "now" });
  expect(ended.status).toBe("active");
  expect(ended.billing_cycle_anchor).toBe(itemOf(ended).current_period_start);
  expect(linesOf(await latestOf(stripe, ended))).toEqual([["1 × Large", 1_500]]);
});

test("paused collection leaves drafts, and resumes at a given time", async () => {
  const subscription = await subscribe(stripe, await newCustomer(stripe), await newPrice(stripe, "Small"));
  const end = itemOf(subscription).current_period_end;
  await stripe.subscriptions.update(subscription.id, {
    pause_collection: { behavior: "keep_as_draft", resumes_at: end + 10 * SECONDS_PER_DAY },
  });
  await advanceTo(local, end + 2 * HOUR);
  expect(await latestOf(stripe, subscription)).toMatchObject({ status: "draft", auto_advance: false });
  await advanceTo(local, end + 10 * SECONDS_PER_DAY);
  const resumed = await stripe.subscriptions.retrieve(subscription.id);
  expect(resumed).toMatchObject({ status: "active", pause_collection: null });
  await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: "void" } });
  await advanceTo(local, itemOf(resumed).current_period_end + HOUR);
  expect(await latestOf(stripe, subscription)).toMatchObject({ status: "void" });
});
