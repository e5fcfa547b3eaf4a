import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** A month was bought, and Stripe has given up on its renewal: the next period begins nine days later. */
async function unpaidPlan(): Promise<BillingHarness> {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
  await harness.pass(22);
  await harness.reconcile();
  expect(await states(harness)).toEqual({ plans: ["unpaid"], renewals: ["failed"] });
  return harness;
}

async function states(harness: BillingHarness) {
  const { subscriptions, orders } = await harness.rows();
  const renewals = orders.filter(({ kind }) => kind === "renewal");
  return { plans: subscriptions.map(({ state }) => state), renewals: renewals.map(({ state }) => state) };
}

async function emailsOf(harness: BillingHarness, template: string): Promise<number> {
  return (await harness.rows()).emails.filter((email) => email.template === template).length;
}

async function charges(harness: BillingHarness): Promise<number> {
  return (await harness.record()).charges.filter(({ paidBy }) => paidBy !== null).length;
}

test("an unpaid plan ends with its period, and nothing is owed for it", async () => {
  const harness = await unpaidPlan();
  await harness.pass(10);
  await Promise.all([harness.reconcile(), harness.reconcile(), harness.reconcile()]);
  await harness.reconcile();
  expect(await states(harness)).toEqual({ plans: ["ended"], renewals: ["cancelled"] });
  expect(await emailsOf(harness, "plan-ended")).toBe(1);
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  const { charges, invoices } = await harness.record();
  expect(charges.filter(({ paidBy }) => paidBy !== null)).toHaveLength(1);
  expect(invoices.filter(({ state }) => state === "open")).toEqual([]);
});

test("a debt that is paid before the plan's end is noticed renews the plan: its new period is charged", async () => {
  const harness = await unpaidPlan();
  await harness.pass(10);
  await harness.useCard("pm_card_visa");
  const debt = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.payments.payInvoice(debt?.id ?? "in_", "on Stripe's page");
  await Promise.all([harness.reconcile(), harness.reconcile()]);
  await harness.reconcile();
  expect(await states(harness)).toEqual({ plans: ["active"], renewals: ["paid", "paid"] });
  expect((await harness.record()).charges.filter(({ paidBy }) => paidBy !== null)).toHaveLength(3);
  expect(await emailsOf(harness, "plan-unlocked")).toBe(1);
});

test("a new period that can't be charged is owed, and can be paid", async () => {
  const harness = await unpaidPlan();
  await harness.pass(10);
  const debt = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.stripe.invoices.markUncollectible(String(debt?.id));
  await harness.reconcile();
  expect((await states(harness)).renewals).toContain("failed");
  await harness.useCard("pm_card_visa");
  await retryPayment(harness.app, harness.accountId);
  expect(await states(harness)).toMatchObject({ plans: ["active"] });
});

/** A renewal was left as a draft while charges were on hold; a later one has failed for good. */
async function unpaidPlanAfterHold(): Promise<BillingHarness> {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const [plan] = (await harness.stripe.subscriptions.list()).data;
  await harness.stripe.subscriptions.update(plan?.id ?? "", { pause_collection: { behavior: "keep_as_draft" } });
  await harness.pass(31.5);
  await harness.stripe.subscriptions.update(plan?.id ?? "", { pause_collection: "" });
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.reconcile();
  for (const days of [30, 22]) {
    await harness.pass(days);
    await harness.reconcile();
  }
  expect(await states(harness)).toMatchObject({ plans: ["unpaid"] });
  return harness;
}

test("a draft from a time on hold doesn't end a plan that is unpaid later: its debt can be paid until the period ends", async () => {
  const harness = await unpaidPlanAfterHold();
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  expect(await states(harness)).toMatchObject({ plans: ["active"] });
});

test("a draft from a time on hold isn't charged once a later debt was voided; the next period is", async () => {
  const harness = await unpaidPlanAfterHold();
  await harness.useCard("pm_card_visa");
  const debt = (await harness.record()).invoices.find(({ state }) => state === "open");
  await harness.stripe.invoices.voidInvoice(String(debt?.id));
  await harness.reconcile();
  await harness.reconcile();
  expect(await charges(harness)).toBe(1);
  await harness.pass(10);
  await harness.reconcile();
  await harness.reconcile();
  expect(await charges(harness)).toBe(2);
  expect(await states(harness)).toMatchObject({ plans: ["active"] });
});

test("the history of what was never paid has every attempt, also those that no sync saw before it was cancelled", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
  await harness.pass(32);
  await harness.reconcile();
  expect(await states(harness)).toEqual({ plans: ["ended"], renewals: ["cancelled"] });
  const { results } = await env.DB.prepare(
    "select e.occurrence from history_events e join orders o on o.id = e.order_id where o.kind = 'renewal' and e.what = 'failed'",
  ).all<{ occurrence: string }>();
  expect(results.map(({ occurrence }) => occurrence).toSorted()).toEqual(["", "2", "3", "4", "5"]);
});
