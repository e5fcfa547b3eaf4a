import type { OrderId } from "#app/core/id.ts";
import { describe, expect, test } from "vitest";
import { showReceipt } from "#app/modules/order-history/reads/show-receipt.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

const testCard = "4242424242424242";
const address = { line1: "1 Main St", postal_code: "10115", city: "Berlin", country: "DE" };

/** A purchase in which the hosted checkout is filled in with these fields. */
async function buyAs(harness: BillingHarness, fields: Record<string, string>): Promise<OrderId> {
  const begun = await harness.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  expect(await harness.send(begun.value.url, { ...fields, testCard })).toContain("/payment/success");
  await harness.reconcile();
  return begun.value.orderId;
}

async function receiptOf(harness: BillingHarness, orderId: OrderId) {
  const receipt = await showReceipt(harness.app, harness.accountId, orderId);
  if (!receipt) throw new Error("There is no receipt");
  return receipt.order;
}

describe("what is entered at checkout is on the first receipt", () => {
  test("the name and VAT ID of a business, if no address is collected", async () => {
    const harness = await openBillingHarness({ ...product, automaticTax: false, billingAddress: "auto" });
    const orderId = await buyAs(harness, { name: "Ada Ltd", tax_id: "DE123456789" });
    expect((await receiptOf(harness, orderId)).billedTo).toMatchObject({ name: "Ada Ltd", vatIds: ["DE123456789"] });
  });

  test("and the address, which is required of everyone if the config says so", async () => {
    const harness = await openBillingHarness({ ...product, billingAddress: "required" });
    const begun = await harness.choose();
    if (!begun.ok) throw new Error(begun.refusal.reason);
    expect(await harness.send(begun.value.url, { name: "Ada Ltd", testCard })).toContain("problem=address");
    const orderId = await buyAs(harness, { name: "Ada Ltd", ...address, tax_id: "DE123456789" });
    expect((await receiptOf(harness, orderId)).billedTo).toEqual({
      name: "Ada Ltd",
      address: ["1 Main St", "10115 Berlin"],
      country: "DE",
      vatIds: ["DE123456789"],
      paidBy: { method: "visa", last4: "4242" },
    });
  });

  test("and stays there when the customer's details change afterwards", async () => {
    const harness = await openBillingHarness({ ...product, automaticTax: false, billingAddress: "auto" });
    const orderId = await buyAs(harness, { name: "Ada Ltd" });
    await harness.stripe.customers.update(await harness.customerId(), { name: "Bea Ltd" });
    await harness.pass(31.5);
    await harness.reconcile();
    expect((await harness.rows()).orders.map(({ billed_to }) => JSON.parse(String(billed_to)).name)).toEqual([
      "Ada Ltd",
      "Bea Ltd",
    ]);
    expect((await receiptOf(harness, orderId)).billedTo?.name).toBe("Ada Ltd");
  });
});

test("a receipt keeps the seller of the day it was paid, whatever the config says later", async () => {
  const harness = await openBillingHarness();
  const before = { name: "Old & Sons", address: ["Old Road 1"], vatId: "DE111111111" };
  const now = { name: "New & Daughters", address: ["New Road 2"], vatId: null };
  const reconcileAs = (seller: typeof before | typeof now) =>
    harness.reconcile({ ...harness.app, product: { ...harness.app.product, seller } });
  await harness.buy();
  await reconcileAs(before);
  await harness.pass(31.5);
  await reconcileAs(now);
  const { orders } = await harness.rows();
  expect(orders.map(({ seller }) => JSON.parse(String(seller)))).toEqual([before, now]);
});

test("a receipt has the net amount and the rate that Stripe charged, and none if it charged no tax", async () => {
  const taxed = await openBillingHarness({ ...product, automaticTax: true });
  const orderId = await buyAs(taxed, { name: "Ada", ...address });
  const { taxes, taxMinor } = await receiptOf(taxed, orderId);
  expect(taxes).toEqual({
    netMinor: minor(small) - taxMinor,
    parts: [{ name: "VAT", percent: 20, amountMinor: taxMinor, isReverseCharge: false }],
  });
  expect(taxMinor).toBe(Math.round(minor(small) / 6));
  const untaxed = await openBillingHarness({ ...product, automaticTax: false });
  expect((await receiptOf(untaxed, await buyAs(untaxed, {}))).taxes).toBeNull();
});
