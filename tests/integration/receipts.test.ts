import { describe, expect, test } from "vitest";
import { showReceipt } from "#app/modules/order-history/reads/show-receipt.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";

const testCard = "4242424242424242";
const address = { line1: "1 Main St", postal_code: "10115", city: "Berlin", country: "DE" };

/** Somebody buys, and fills in the hosted checkout with these fields. */
async function buyAs(till: Till, fields: Record<string, string>): Promise<string> {
  const begun = await till.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  expect(await till.send(begun.value.url, { ...fields, testCard })).toContain("/payment/success");
  await till.settle();
  return begun.value.orderId;
}

async function receiptOf(till: Till, orderId: string) {
  const receipt = await showReceipt(till.app, till.accountId, orderId);
  if (!receipt) throw new Error("There is no receipt");
  return receipt.order;
}

describe("what is entered at checkout is on the first receipt", () => {
  test("the name and VAT ID of a business, where no address is asked for", async () => {
    const till = await openTill({ ...product, automaticTax: false, billingAddress: "auto" });
    const orderId = await buyAs(till, { name: "Ada Ltd", tax_id: "DE123456789" });
    expect((await receiptOf(till, orderId)).billedTo).toMatchObject({ name: "Ada Ltd", vatIds: ["DE123456789"] });
  });

  test("and the address, which is asked of everybody where the config requires it", async () => {
    const till = await openTill({ ...product, billingAddress: "required" });
    const begun = await till.choose();
    if (!begun.ok) throw new Error(begun.refusal.reason);
    expect(await till.send(begun.value.url, { name: "Ada Ltd", testCard })).toContain("problem=address");
    const orderId = await buyAs(till, { name: "Ada Ltd", ...address, tax_id: "DE123456789" });
    expect((await receiptOf(till, orderId)).billedTo).toEqual({
      name: "Ada Ltd",
      address: ["1 Main St", "10115 Berlin"],
      country: "DE",
      vatIds: ["DE123456789"],
      paidBy: { method: "visa", last4: "4242" },
    });
  });

  test("and stays there when the customer's details change afterwards", async () => {
    const till = await openTill({ ...product, automaticTax: false, billingAddress: "auto" });
    const orderId = await buyAs(till, { name: "Ada Ltd" });
    await till.stripe.customers.update(await till.customerId(), { name: "Bea Ltd" });
    await till.pass(31.5);
    await till.settle();
    expect((await till.rows()).orders.map(({ billed_to }) => JSON.parse(String(billed_to)).name)).toEqual([
      "Ada Ltd",
      "Bea Ltd",
    ]);
    expect((await receiptOf(till, orderId)).billedTo?.name).toBe("Ada Ltd");
  });
});

test("a receipt keeps the seller of the day it was paid, whatever the config says later", async () => {
  const till = await openTill();
  const before = { name: "Old & Sons", address: ["Old Road 1"], vatId: "DE111111111" };
  const now = { name: "New & Daughters", address: ["New Road 2"], vatId: null };
  const settleAs = (seller: typeof before | typeof now) =>
    till.settle({ ...till.app, product: { ...till.app.product, seller } });
  await till.buy();
  await settleAs(before);
  await till.pass(31.5);
  await settleAs(now);
  const { orders } = await till.rows();
  expect(orders.map(({ seller }) => JSON.parse(String(seller)))).toEqual([before, now]);
});

test("a receipt has the net amount and the rate that Stripe charged, and none where it charged no tax", async () => {
  const taxed = await openTill({ ...product, automaticTax: true });
  const orderId = await buyAs(taxed, { name: "Ada", ...address });
  const { taxes, taxMinor } = await receiptOf(taxed, orderId);
  expect(taxes).toEqual({
    netMinor: minor(small) - taxMinor,
    parts: [{ name: "VAT", percent: 20, amountMinor: taxMinor, isReverseCharge: false }],
  });
  expect(taxMinor).toBe(Math.round(minor(small) / 6));
  const untaxed = await openTill({ ...product, automaticTax: false });
  expect((await receiptOf(untaxed, await buyAs(untaxed, {}))).taxes).toBeNull();
});
