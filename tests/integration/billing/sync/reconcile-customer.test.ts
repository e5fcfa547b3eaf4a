import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { App, Billing } from "#app/app.ts";
import { done } from "#app/core/result.ts";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** The site with a provider that returns this; what it is asked to end, ends. */
function withBilling(harness: BillingHarness, billing: Billing, overrides: Partial<App> = {}): App {
  return { ...harness.app, ...overrides, payments: { ...harness.payments, fetchBilling: async () => done(billing) } };
}

async function aBuyer(planId?: string, interval?: "month" | "year") {
  const harness = await openBillingHarness();
  const orderId = await harness.buy(planId, interval);
  await harness.reconcile();
  return { harness, orderId, billing: await harness.record() };
}

const templates = async (harness: BillingHarness) => (await harness.rows()).emails.map(({ template }) => template);

/** The first of a list that has one. */
function first<Item>(items: Item[]): Item {
  const [item] = items;
  if (!item) throw new Error("There is none");
  return item;
}

describe("refunds and disputes", () => {
  test("from before the payment was known are still emailed: the receipt, then the refund", async () => {
    const harness = await openBillingHarness();
    const order = await harness.buy();
    await harness.control("refund", { order });
    await harness.reconcile();
    expect(await templates(harness)).toEqual(["receipt", "refund"]);
    const { orders, subscriptions } = await harness.rows();
    expect(orders).toMatchObject([
      { state: "refunded", amount_minor: minor(small), refunded_minor: minor(small), number_in_year: 1 },
    ]);
    expect(subscriptions).toMatchObject([{ state: "ended" }]);
  });

  test("are emailed as two if the first of two refunds went unnoticed and their sum is the same", async () => {
    const { harness, billing } = await aBuyer();
    const charge = first(billing.charges);
    const refund = {
      restOf: null,
      amountMinor: 300,
      isFriendDiscount: false,
      isOfMismatch: false,
      createdAt: charge.createdAt,
    };
    charge.refundedMinor = 300;
    charge.refunds = [{ ...refund, id: "re_1", state: "pending" }];
    await harness.reconcile(withBilling(harness, billing));
    charge.refunds = [
      { ...refund, id: "re_2", state: "succeeded" },
      { ...refund, id: "re_1", state: "failed" },
    ];
    await harness.reconcile(withBilling(harness, billing));
    const { orders, historyEvents } = await harness.rows();
    expect(orders).toMatchObject([{ state: "partially-refunded", refunded_minor: 300 }]);
    const refundEvents = historyEvents.filter(({ what }) => String(what).startsWith("refund") || what === "emailed");
    expect(refundEvents.map(({ what, occurrence }) => `${what} ${occurrence}`)).toEqual([
      "emailed credit-note.re_1.returned",
      "emailed paid",
      "emailed re_1",
      "emailed re_2",
      "refund re_1",
      "refund re_2",
      "refund-failed re_1",
    ]);
    expect(harness.reports).toEqual([expect.stringMatching(/^A refund of order ord_\w+ came back from the bank$/)]);
  });

  test("of the full amount end the plan here and at the provider for the running period, and not for an earlier one", async () => {
    const { harness, orderId } = await aBuyer();
    await harness.pass(32);
    await harness.reconcile();
    await harness.control("refund", { order: orderId });
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([{ state: "refunded" }, { kind: "renewal", state: "paid" }]);
    expect((await harness.rows()).subscriptions).toMatchObject([{ state: "active" }]);
    const [, renewal] = (await harness.rows()).orders;
    await harness.control("refund", { order: renewal?.invoice_id });
    await harness.reconcile();
    const [subscription] = (await harness.record()).subscriptions;
    expect(subscription).toMatchObject({ status: "canceled" });
    expect((await harness.rows()).subscriptions).toMatchObject([{ state: "ended", ended_at: subscription?.endedAt }]);
  });

  test("that the bank returns make the order paid again; the ended plan is reported, not resumed", async () => {
    const { harness, billing } = await aBuyer();
    const charge = first(billing.charges);
    const refund = {
      restOf: null,
      id: "re_1",
      amountMinor: minor(small),
      isFriendDiscount: false,
      isOfMismatch: false,
      createdAt: charge.createdAt,
    } as const;
    charge.refundedMinor = minor(small);
    charge.refunds = [{ ...refund, state: "pending" }];
    await harness.reconcile(withBilling(harness, billing));
    charge.refundedMinor = 0;
    charge.refunds = [{ ...refund, state: "failed" }];
    const after = await harness.record();
    await harness.reconcile(withBilling(harness, { ...billing, subscriptions: after.subscriptions }));
    const { orders, subscriptions } = await harness.rows();
    expect(orders).toMatchObject([{ state: "paid", refunded_minor: 0 }]);
    expect(subscriptions).toMatchObject([{ state: "ended" }]);
    expect(harness.reports).toHaveLength(1);
  });

  test("of an order with a hundred later ones are stored on it, and create no second order", async () => {
    const { harness, orderId } = await aBuyer();
    const rows = Array.from({ length: 130 }, (_, index) =>
      env.DB.prepare(
        `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
         values (?1, ?2, 'cancelled', 'new-plan', '${small.id}', 'month', 'EUR', 600, ?3, ?3)`,
      ).bind(`${orderId}_${index}`, harness.accountId, harness.app.clock() + index),
    );
    await env.DB.batch(rows);
    await harness.control("refund", { order: orderId, amountMinor: 100 });
    await harness.reconcile();
    const { orders } = await harness.rows();
    expect(orders).toHaveLength(131);
    expect(orders.at(-1)).toMatchObject({ id: orderId, state: "partially-refunded", refunded_minor: 100 });
  });

  test("are two disputes for two chargebacks, each emailed and reported once", async () => {
    const { harness, billing } = await aBuyer();
    const charge = first(billing.charges);
    const dueAt = charge.createdAt + 7 * dayMs;
    const dispute = { amountMinor: minor(small), createdAt: charge.createdAt, dueAt };
    charge.disputes = [{ ...dispute, id: "dp_1", state: "won" }];
    await harness.reconcile(withBilling(harness, billing));
    charge.disputes.unshift({ ...dispute, id: "dp_2", createdAt: dispute.createdAt + 1, state: "needs-response" });
    await harness.reconcile(withBilling(harness, billing));
    await harness.reconcile(withBilling(harness, billing));
    expect((await harness.rows()).orders).toMatchObject([{ dispute: "needs-response", dispute_due_at: dueAt }]);
    expect(await templates(harness)).toEqual(["dispute-opened", "dispute-opened", "dispute-won", "receipt"]);
    expect(harness.reports).toHaveLength(2);
  });
});

test("a dispute's deadline is stored on orders from before the column existed, and cleared by the answer", async () => {
  const { harness, billing } = await aBuyer();
  const charge = first(billing.charges);
  const dueAt = charge.createdAt + 7 * dayMs;
  const dispute = { id: "dp_1", amountMinor: minor(small), createdAt: charge.createdAt, dueAt };
  charge.disputes = [{ ...dispute, state: "needs-response" }];
  await harness.reconcile(withBilling(harness, billing));
  await env.DB.exec("update orders set dispute_due_at = null");
  await harness.reconcile(withBilling(harness, billing));
  expect((await harness.rows()).orders).toMatchObject([{ dispute_due_at: dueAt }]);
  charge.disputes = [{ ...dispute, state: "under-review" }];
  await harness.reconcile(withBilling(harness, billing));
  expect((await harness.rows()).orders).toMatchObject([{ dispute: "under-review", dispute_due_at: null }]);
  expect(harness.reports).toHaveLength(1);
});

test("an amount that includes an earlier debt is accepted", async () => {
  const { harness, billing } = await unreconciled();
  first(billing.invoices).amountMinor = minor(small) + 50;
  await harness.reconcile(withBilling(harness, billing));
  expect((await harness.rows()).orders).toMatchObject([{ state: "paid", amount_minor: minor(small) + 50 }]);
  expect(harness.reports).toEqual([]);
});

/** Paid at the provider, and unknown here. */
async function unreconciled() {
  const harness = await openBillingHarness();
  await harness.buy();
  return { harness, billing: await harness.record() };
}

describe("an impossible state", () => {
  test("of two running plans, of which Stripe ends none, is reported: the payment is stored and the known plan unchanged", async () => {
    const { harness, billing } = await aBuyer();
    const subscription = first(billing.subscriptions);
    const invoice = first(billing.invoices);
    billing.subscriptions.push({ ...subscription, id: "sub_second", createdAt: subscription.createdAt - 1000 });
    billing.invoices.push({ ...invoice, id: "in_second", subscriptionId: "sub_second", paymentIds: [] });
    for (let times = 0; times < 2; times += 1) {
      expect(await harness.reconcile(withBilling(harness, billing))).toMatchObject({ ok: true });
    }
    expect(harness.reports.join()).toContain("2 running subscriptions");
    const { orders, subscriptions } = await harness.rows();
    expect(orders).toMatchObject([{ state: "paid" }, { state: "paid", invoice_id: "in_second" }]);
    expect(subscriptions).toMatchObject([{ id: subscription.id, state: "active" }]);
    expect(await templates(harness)).toEqual(["receipt", "receipt"]);
  });
});

describe("changes in the provider's dashboard", () => {
  test("that void an invoice that the bank was processing cancel its order, and another purchase can begin", async () => {
    const harness = await openBillingHarness();
    await harness.buy(small.id, "month", "processing");
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([{ state: "processing" }]);
    const billing = await harness.record();
    first(billing.invoices).state = "void";
    first(billing.subscriptions).status = "canceled";
    await harness.reconcile(withBilling(harness, billing));
    expect((await harness.rows()).orders).toMatchObject([{ state: "cancelled" }]);
    expect(await harness.choose(small.id, "year")).toMatchObject({ ok: true });
  });

  test("that create a plan let its customer end it, though nothing was paid for it", async () => {
    const { harness, billing } = await unreconciled();
    const subscription = first(billing.subscriptions);
    Object.assign(subscription, { status: "past_due", orderId: null });
    first(billing.invoices).state = "open";
    await harness.reconcile(withBilling(harness, { ...billing, checkouts: [] }));
    expect((await harness.record()).subscriptions).toMatchObject([{ status: "active" }]);
    expect((await harness.rows()).subscriptions).toMatchObject([{ id: subscription.id, state: "incomplete" }]);
  });

  test("to a plan that left the catalogue are applied: it continues for its subscribers, and can end", async () => {
    const { harness, billing } = await aBuyer();
    const smaller = { product: { ...product, plans: product.plans.filter(({ id }) => id !== small.id) } };
    first(billing.subscriptions).cancelsAt = 1;
    await harness.reconcile(withBilling(harness, billing, smaller));
    expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: small.id, cancels_at: 1 }]);
    Object.assign(first(billing.subscriptions), { status: "canceled", endedAt: 2, sold: null });
    await harness.reconcile(withBilling(harness, billing, smaller));
    expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: small.id, state: "ended", ended_at: 2 }]);
    expect(harness.reports).toEqual([]);
  });

  test("to an invoice of a plan that was changed since create an order for the plan that it was for", async () => {
    const { harness, billing } = await aBuyer();
    const subscription = first(billing.subscriptions);
    const invoice = first(billing.invoices);
    const { data } = await harness.stripe.prices.list({ lookup_keys: [`${large.id}_year`] });
    const renewal = {
      ...invoice,
      id: "in_renewal",
      billingReason: "renewal",
      createdAt: invoice.createdAt + 1,
    } as const;
    Object.assign(subscription, { priceId: data[0]?.id, sold: { planId: large.id, interval: "year" } });
    await harness.reconcile(withBilling(harness, { ...billing, invoices: [renewal, invoice] }));
    expect((await harness.rows()).orders).toMatchObject([
      { kind: "new-plan", plan_id: small.id },
      { kind: "renewal", plan_id: small.id, interval: "month", state: "paid" },
    ]);
    expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: large.id, interval: "year" }]);
  });

  test("that delete a customer end the plan, and the next purchase creates another customer", async () => {
    const { harness } = await aBuyer();
    const before = await harness.customerId();
    await harness.stripe.customers.del(before);
    await harness.reconcile();
    expect((await harness.rows()).subscriptions).toMatchObject([{ state: "ended" }]);
    await harness.buy();
    await harness.reconcile();
    expect(await harness.customerId()).not.toBe(before);
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }, { state: "paid" }]);
    expect((await harness.rows()).subscriptions.map(({ state }) => state).toSorted()).toEqual(["active", "ended"]);
  });
});

test("a due renewal starts from its own invoice, though the payment of an earlier one went unnoticed", async () => {
  const { harness, billing } = await aBuyer();
  const subscription = first(billing.subscriptions);
  const invoice = first(billing.invoices);
  const dueAt = (createdAt: number) => {
    Object.assign(subscription, { status: "past_due" });
    const due = { ...invoice, id: `in_${createdAt}`, billingReason: "renewal", state: "open", createdAt } as const;
    return { ...billing, invoices: [due, invoice] };
  };
  const now = harness.app.clock();
  await harness.reconcile(withBilling(harness, dueAt(now - 20 * 86_400_000)));
  expect((await harness.rows()).subscriptions).toMatchObject([{ state: "past-due-locked" }]);
  await harness.reconcile(withBilling(harness, dueAt(now - 1000)));
  expect((await harness.rows()).subscriptions).toMatchObject([{ state: "past-due-grace", past_due_since: now - 1000 }]);
});

test("credit follows the provider's balance, and only in our own currency", async () => {
  const { harness, billing } = await aBuyer();
  const creditOf = async () => (await harness.rows()).customers[0]?.credit_minor;
  await harness.stripe.customers.createBalanceTransaction(await harness.customerId(), {
    amount: -250,
    currency: product.currency.toLowerCase(),
  });
  await harness.reconcile();
  expect(await creditOf()).toBe(250);
  await harness.reconcile(withBilling(harness, { ...billing, creditMinor: 900, creditCurrency: "XTS" }));
  expect(await creditOf()).toBe(0);
});
