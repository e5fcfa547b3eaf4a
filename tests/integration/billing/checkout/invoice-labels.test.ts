import { readId } from "#app/core/id.ts";
import { describe, expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { killedAtCall } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type Row, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { large } from "#tests/support/billing/catalogue.ts";

/** The labels of the provider's invoices, oldest first, beside the orders that they belong to. */
async function labels(harness: BillingHarness) {
  const { data } = await harness.stripe.invoices.list({ limit: 100 });
  return data.toReversed().map(({ metadata }) => metadata ?? {});
}

const oldestFirst = (rows: Row[]) => rows.toSorted((left, right) => Number(left.created_at) - Number(right.created_at));

const names = async (harness: BillingHarness) =>
  oldestFirst((await harness.rows()).orders).map((row) => {
    const number = orderNumber({ numberYear: Number(row.number_year), numberInYear: Number(row.number_in_year) });
    return { order: row.id, ...(row.paid_at !== null && { number }) };
  });

/** An account with a plan, and the site with a provider that counts the updates it receives. */
async function aBuyer() {
  const harness = await openBillingHarness();
  await harness.buy();
  const counted = { labels: 0 };
  const payments: BillingHarness["payments"] = {
    ...harness.payments,
    withOwnDeadline: () => payments,
    labelInvoice: (...given) => {
      counted.labels += 1;
      return harness.payments.labelInvoice(...given);
    },
  };
  return { harness, counted, app: { ...harness.app, payments } };
}

describe("an invoice at the provider", () => {
  test("of a purchase, a renewal or a change is labelled once with the id and once with the number of its order", async () => {
    const { harness, counted, app } = await aBuyer();
    await harness.reconcile(app);
    await harness.pass(31.5);
    await harness.reconcile(app);
    const [item] = (await harness.stripe.subscriptions.list({ limit: 1 })).data.flatMap(({ items }) => items.data);
    const [dearer] = (await harness.stripe.prices.list({ lookup_keys: [`${large.id}_month`] })).data;
    await harness.stripe.subscriptions.update(String(item?.subscription), {
      items: [{ id: String(item?.id), price: String(dearer?.id) }],
      proration_behavior: "always_invoice",
    });
    await harness.reconcile(app);
    expect(await labels(harness)).toEqual(await names(harness));
    expect((await harness.rows()).orders.map(({ kind }) => kind)).toEqual(["new-plan", "renewal", "change"]);
    expect(counted.labels).toBe(3);
    for (let times = 0; times < 3; times += 1) await harness.reconcile(app);
    expect(counted.labels).toBe(3);
  });

  test.each(["id", "number"] as const)("is found by the %s of a renewal, to refund or dispute it", async (name) => {
    const { harness } = await aBuyer();
    await harness.reconcile();
    await harness.pass(31.5);
    await harness.reconcile();
    const [first, renewal] = await names(harness);
    const called = (order: typeof first) => (name === "id" ? order?.order : order?.number);
    await harness.control("refund", { order: called(renewal), amountMinor: 150 });
    await harness.control("dispute", { order: called(first) });
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([
      { refunded_minor: 0, dispute: "needs-response" },
      { kind: "renewal", refunded_minor: 150, dispute: "none" },
    ]);
  });

  test("that isn't paid yet is labelled with its order's id, and with the number once there is one", async () => {
    const { harness, counted, app } = await aBuyer();
    await harness.reconcile(app);
    await harness.useCard("pm_card_chargeCustomerFail");
    await harness.pass(31.5);
    await harness.reconcile(app);
    expect(await labels(harness)).toEqual(await names(harness));
    expect((await labels(harness))[1]).toEqual({ order: (await names(harness))[1]?.order });
    await harness.useCard("pm_card_visa");
    const [due] = (await harness.stripe.invoices.list({ status: "open" })).data;
    await harness.stripe.invoices.pay(String(due?.id));
    await harness.reconcile(app);
    expect(await labels(harness)).toEqual(await names(harness));
    expect(counted.labels).toBe(3);
  });

  test("that was paid with a different amount has its number once, since money was received for it", async () => {
    const { harness, counted, app } = await aBuyer();
    const billing = await harness.record();
    for (const invoice of billing.invoices) Object.assign(invoice, { amountMinor: 1, totalMinor: 1 });
    const providerBilling = () => ({
      ...app,
      payments: { ...app.payments, fetchBilling: async () => ({ ok: true as const, value: structuredClone(billing) }) },
    });
    await harness.reconcile(providerBilling());
    expect(await labels(harness)).toEqual(await names(harness));
    const [label] = await labels(harness);
    expect(label?.number).toBeDefined();
    for (const invoice of billing.invoices) {
      invoice.label = { orderId: readId("ord", label?.order), orderNumber: label?.number ?? null };
    }
    await harness.reconcile(providerBilling());
    expect(counted.labels).toBe(1);
  });

  test("whose label Stripe refused, or whose Worker was killed before, is labelled by the next cron run", async () => {
    const { harness, app } = await aBuyer();
    const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
    await harness.reconcile({ ...app, payments: { ...app.payments, labelInvoice: silent } });
    expect(await labels(harness)).toEqual([{}]);
    await harness.reconcile(app);
    expect(await labels(harness)).toEqual(await names(harness));
    await harness.pass(31.5);
    // The second call is the label; the first one reads the customer.
    const { payments } = killedAtCall(app.payments, 2, "before");
    await expect(harness.reconcile({ ...app, payments })).rejects.toThrow("killed");
    expect((await labels(harness))[1]).toEqual({});
    await sweepOrders(app);
    expect(await labels(harness)).toEqual(await names(harness));
    expect(harness.reports).toEqual([]);
  });

  test("that refuses its label is reported, and doesn't prevent reconciliation", async () => {
    const { harness, app } = await aBuyer();
    const refusing = async () => refused({ reason: "provider-refused" as const, code: "invoice_not_editable" });
    await harness.reconcile({ ...app, payments: { ...app.payments, labelInvoice: refusing } });
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }]);
    expect(harness.reports).toEqual(["Stripe refused the label of an invoice: invoice_not_editable"]);
  });
});
