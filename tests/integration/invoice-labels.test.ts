import { describe, expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { orderNumber } from "#app/modules/orders/rules.ts";
import { sweepOrders } from "#app/modules/billing-sync/commands/sweep-orders.server.ts";
import { killedAtCall } from "#tests/support/killed.ts";
import { openTill, type Row, type Till } from "#tests/support/till.ts";
import { large } from "#tests/support/catalogue.ts";

/** What stands on the provider's invoices, oldest first, beside the orders that they are. */
async function labels(till: Till) {
  const { data } = await till.stripe.invoices.list({ limit: 100 });
  return data.toReversed().map(({ metadata }) => metadata ?? {});
}

const oldestFirst = (rows: Row[]) => rows.toSorted((left, right) => Number(left.created_at) - Number(right.created_at));

const names = async (till: Till) =>
  oldestFirst((await till.rows()).orders).map((row) => {
    const number = orderNumber({ numberYear: Number(row.number_year), numberInYear: Number(row.number_in_year) });
    return { order: row.id, ...(row.paid_at !== null && { number }) };
  });

/** Somebody with a plan, and the site with a provider that counts what it is told. */
async function aBuyer() {
  const till = await openTill();
  await till.buy();
  const counted = { labels: 0 };
  const payments: Till["payments"] = {
    ...till.payments,
    withOwnDeadline: () => payments,
    labelInvoice: (...words) => {
      counted.labels += 1;
      return till.payments.labelInvoice(...words);
    },
  };
  return { till, counted, app: { ...till.app, payments } };
}

describe("an invoice at the provider", () => {
  test("of a purchase, a renewal and a change bears the id and the number of its order, told once each", async () => {
    const { till, counted, app } = await aBuyer();
    await till.settle(app);
    await till.pass(31.5);
    await till.settle(app);
    const [item] = (await till.stripe.subscriptions.list({ limit: 1 })).data.flatMap(({ items }) => items.data);
    const [dearer] = (await till.stripe.prices.list({ lookup_keys: [`${large.id}_month`] })).data;
    await till.stripe.subscriptions.update(String(item?.subscription), {
      ...{ items: [{ id: String(item?.id), price: String(dearer?.id) }], proration_behavior: "always_invoice" },
    });
    await till.settle(app);
    expect(await labels(till)).toEqual(await names(till));
    expect((await till.rows()).orders.map(({ kind }) => kind)).toEqual(["new-plan", "renewal", "change"]);
    expect(counted.labels).toBe(3);
    for (let times = 0; times < 3; times += 1) await till.settle(app);
    expect(counted.labels).toBe(3);
  });

  test.each(["id", "number"] as const)("is found by the %s of a renewal: to refund it, to dispute it", async (name) => {
    const { till } = await aBuyer();
    await till.settle();
    await till.pass(31.5);
    await till.settle();
    const [first, renewal] = await names(till);
    const called = (order: typeof first) => (name === "id" ? order?.order : order?.number);
    await till.control("refund", { order: called(renewal), amountMinor: 150 });
    await till.control("dispute", { order: called(first) });
    await till.settle();
    expect((await till.rows()).orders).toMatchObject([
      { refunded_minor: 0, dispute: "needs-response" },
      { kind: "renewal", refunded_minor: 150, dispute: "none" },
    ]);
  });

  test("that isn't paid so far bears its order's id, and the number when it is", async () => {
    const { till, counted, app } = await aBuyer();
    await till.settle(app);
    await till.useCard("pm_card_chargeCustomerFail");
    await till.pass(31.5);
    await till.settle(app);
    expect(await labels(till)).toEqual(await names(till));
    expect((await labels(till))[1]).toEqual({ order: (await names(till))[1]?.order });
    await till.useCard("pm_card_visa");
    const [due] = (await till.stripe.invoices.list({ status: "open" })).data;
    await till.stripe.invoices.pay(String(due?.id));
    await till.settle(app);
    expect(await labels(till)).toEqual(await names(till));
    expect(counted.labels).toBe(3);
  });

  test("that was paid for something else bears the id alone, told once, and is reported", async () => {
    const { till, counted, app } = await aBuyer();
    const billing = await till.record();
    for (const invoice of billing.invoices) Object.assign(invoice, { amountMinor: 1, totalMinor: 1 });
    const said = () => ({
      ...app,
      payments: { ...app.payments, fetchBilling: async () => ({ ok: true as const, value: structuredClone(billing) }) },
    });
    await till.settle(said());
    expect(await labels(till)).toEqual([{ order: (await till.rows()).orders[0]?.id }]);
    for (const invoice of billing.invoices)
      invoice.label = { orderId: String((await labels(till))[0]?.order), orderNumber: null };
    await till.settle(said());
    expect(counted.labels).toBe(1);
  });

  test("to which the provider didn't listen, or whose Worker died over it, has its label by the next look of the clock", async () => {
    const { till, app } = await aBuyer();
    const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });
    await till.settle({ ...app, payments: { ...app.payments, labelInvoice: silent } });
    expect(await labels(till)).toEqual([{}]);
    await till.settle(app);
    expect(await labels(till)).toEqual(await names(till));
    await till.pass(31.5);
    // The second call is the label; the first one asked what is true.
    const { payments } = killedAtCall(app.payments, 2, "before");
    await expect(till.settle({ ...app, payments })).rejects.toThrow("killed");
    expect((await labels(till))[1]).toEqual({});
    await sweepOrders(app);
    expect(await labels(till)).toEqual(await names(till));
    expect(till.reports).toEqual([]);
  });

  test("that refuses its label is reported, and keeps nothing from being settled", async () => {
    const { till, app } = await aBuyer();
    const refusing = async () => refused({ reason: "provider-refused" as const, code: "invoice_not_editable" });
    await till.settle({ ...app, payments: { ...app.payments, labelInvoice: refusing } });
    expect((await till.rows()).orders).toMatchObject([{ state: "paid" }]);
    expect(till.reports).toEqual(["The provider refused the label of an invoice: invoice_not_editable"]);
  });
});
