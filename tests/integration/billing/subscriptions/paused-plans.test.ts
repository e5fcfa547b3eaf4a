import { describe, expect, test } from "vitest";
import type { PauseCause } from "#app/core/stripe/states.ts";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

async function subscribed() {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const [plan] = (await harness.stripe.subscriptions.list()).data;
  return { harness, id: plan?.id ?? "" };
}

/** The plan's row, its renewals and the emails about it. */
async function facts(harness: BillingHarness) {
  const { subscriptions, orders, emails } = await harness.rows();
  const about = ["renewal-failed", "plan-locked", "plan-paused", "plan-unlocked", "plan-ended"];
  return {
    plans: subscriptions.map(({ state, pause_cause, end_cause }) => [state, pause_cause ?? end_cause]),
    renewals: orders.filter(({ kind }) => kind === "renewal").map(({ state }) => state),
    emails: emails.map(({ template }) => String(template)).filter((template) => about.includes(template)),
  };
}

async function paidCharges(harness: BillingHarness): Promise<number> {
  return (await harness.record()).charges.filter(({ paidBy }) => paidBy !== null).length;
}

describe("a plan that is paused at Stripe keeps the cause, and its owner is told once", () => {
  test.each<[cause: string, PauseCause]>([
    ["pause_requested", "requested"],
    ["system", "system"],
    ["trial_end_without_payment_method", "trial-ended"],
    ["final_payment_failure", "final-payment-failed"],
  ])("%s", async (cause, stored) => {
    const { harness, id } = await subscribed();
    await harness.control("pause", { subscription: id, paused: "yes", cause });
    // Nothing is owed, or the payment was made meanwhile: then it's resumed.
    await harness.reconcile();
    await harness.reconcile();
    expect(await facts(harness)).toMatchObject({ plans: [["paused", stored]], emails: ["plan-paused"] });
    await harness.control("pause", { subscription: id, paused: "no" });
    await harness.reconcile();
    expect(await facts(harness)).toMatchObject({ plans: [["active", null]], emails: ["plan-paused", "plan-unlocked"] });
  });
});

/** The renewal failed, and Stripe is set to pause the plan for it. */
async function pausedBy(pausesAfter: "first" | "last") {
  const { harness, id } = await subscribed();
  await harness.control("retries", { pausesAfter });
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
  if (pausesAfter === "last") {
    await harness.pass(22);
    await harness.reconcile();
  }
  return { harness, id };
}

describe.each([
  ["first", "first-payment-failed", ["renewal-failed"]],
  ["last", "final-payment-failed", ["renewal-failed", "renewal-failed"]],
] as const)("a plan that Stripe pauses after the %s failed attempt", (pausesAfter, cause, told) => {
  test("is unpaid, and its owner is told that it is locked", async () => {
    const { harness, id } = await pausedBy(pausesAfter);
    expect((await harness.stripe.subscriptions.retrieve(id)).status).toBe("paused");
    const { plans, renewals, emails } = await facts(harness);
    expect({ plans, renewals }).toEqual({ plans: [["unpaid", cause]], renewals: ["failed"] });
    expect(emails.toSorted()).toEqual(told.toSorted());
  });

  test("is resumed in its period once the open invoice is paid, and renews as before", async () => {
    const { harness, id } = await pausedBy(pausesAfter);
    const { periodEndsAt } = (await harness.record()).subscriptions[0] ?? {};
    await harness.useCard("pm_card_visa");
    await Promise.all([harness.reconcile(), harness.reconcile()]);
    await harness.reconcile();
    expect(await facts(harness)).toMatchObject({ plans: [["active", null]], renewals: ["paid"] });
    expect(await paidCharges(harness)).toBe(2);
    expect((await harness.record()).subscriptions[0]?.periodEndsAt).toBe(periodEndsAt);
    await harness.control("retries", {});
    await harness.pass(pausesAfter === "first" ? 32 : 10);
    await harness.reconcile();
    expect(await paidCharges(harness)).toBe(3);
    expect((await harness.stripe.subscriptions.retrieve(id)).status).toBe("active");
  });

  test("can be paid with the button", async () => {
    const { harness } = await pausedBy(pausesAfter);
    await harness.useCard("pm_card_visa");
    expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({ ok: true });
    await harness.reconcile();
    expect(await facts(harness)).toMatchObject({ plans: [["active", null]], renewals: ["paid"] });
  });

  test("ends with its period, and nothing is owed for it", async () => {
    const { harness, id } = await pausedBy(pausesAfter);
    await harness.pass(pausesAfter === "first" ? 32 : 10);
    await Promise.all([harness.reconcile(), harness.reconcile()]);
    await harness.reconcile();
    expect(await facts(harness)).toMatchObject({ plans: [["ended", "payment-failed"]], renewals: ["cancelled"] });
    expect((await harness.stripe.subscriptions.retrieve(id)).status).toBe("canceled");
    expect((await harness.record()).invoices.filter(({ state }) => state === "open")).toEqual([]);
  });

  test("stays paused if the team gives the debt up", async () => {
    const { harness } = await pausedBy(pausesAfter);
    const debt = (await harness.record()).invoices.find(({ state }) => state === "open");
    await harness.stripe.invoices.voidInvoice(String(debt?.id));
    await harness.reconcile();
    expect(await facts(harness)).toMatchObject({ plans: [["paused", cause]], renewals: ["cancelled"] });
  });
});

test.each([
  ["its period", "unchanged", 2],
  ["a new one", "now", 3],
])("a plan that Stripe itself resumes in %s once the renewal is paid runs on", async (_, resumes, charges) => {
  const { harness, id } = await pausedBy("first");
  await harness.control("retries", { pausesAfter: "first", resumes });
  const debt = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.useCard("pm_card_visa");
  await harness.stripe.invoices.pay(String(debt?.id));
  expect((await harness.stripe.subscriptions.retrieve(id)).status).toBe("active");
  await harness.reconcile();
  await harness.reconcile();
  expect(await facts(harness)).toMatchObject({ plans: [["active", null]] });
  expect(await paidCharges(harness)).toBe(charges);
  expect(harness.reports).toEqual([]);
});

test("a paused plan's open invoice is void once the plan bought in its place is paid", async () => {
  const { harness, id } = await subscribed();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.control("pause", { subscription: id, paused: "yes", cause: "system" });
  await harness.reconcile();
  expect(await facts(harness)).toMatchObject({ plans: [["paused", "system"]], renewals: ["failed"] });
  await harness.buy();
  await harness.reconcile();
  expect((await facts(harness)).renewals).toEqual(["cancelled"]);
  expect((await harness.record()).invoices.filter(({ state }) => state === "open")).toEqual([]);
  const plans = (await facts(harness)).plans.map(([state]) => state);
  expect(plans.toSorted()).toEqual(["active", "ended"]);
});
