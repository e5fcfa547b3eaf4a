import { invariant } from "#app/core/invariant.ts";
import type { OrderId } from "#app/core/id.ts";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { formatMoney } from "#app/core/money/money.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { receiptMessages } from "#app/modules/email/messages/receipt.messages.ts";
import { orderNumber } from "#app/modules/orders/rules.ts";
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

describe("a receipt", () => {
  test("contains the name and VAT ID of a business, if no address is collected", async () => {
    const harness = await openBillingHarness({ ...product, automaticTax: false, billingAddress: "auto" });
    const orderId = await buyAs(harness, { name: "Ada Ltd", tax_id: "DE123456789" });
    expect((await receiptOf(harness, orderId)).billedTo).toMatchObject({ name: "Ada Ltd", vatIds: ["DE123456789"] });
  });

  test("contains also the address, which is required of every buyer if configured", async () => {
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

  test("keeps those details when the customer's change afterwards", async () => {
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

  test("keeps the account's name, or else its address, when no name was entered", async () => {
    const harness = await openBillingHarness({ ...product, automaticTax: false, billingAddress: "auto" });
    const rename = (name: string) =>
      harness.app.db.update(accounts).set({ name }).where(eq(accounts.id, harness.accountId));
    const address = `${harness.accountId}@example.com`;
    const orderId = await buyAs(harness, {});
    await rename("Ada Lovelace");
    await harness.pass(31.5);
    await harness.reconcile();
    await rename("Ada King");
    expect((await harness.rows()).orders.map(({ billed_to }) => JSON.parse(String(billed_to)).name)).toEqual([
      address,
      "Ada Lovelace",
    ]);
    expect((await receiptOf(harness, orderId)).billedTo?.name).toBe(address);
  });
});

test("a receipt keeps the seller of the day of the payment, whatever the config says later", async () => {
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

test("a receipt has the net amount and the rate that Stripe charged, and none if no tax was charged", async () => {
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

test("the receipt's email contains its number, lines, payment method, seller and buyer", async () => {
  const harness = await openBillingHarness({ ...product, billingAddress: "required" });
  const orderId = await buyAs(harness, { name: "Ada Ltd", ...address });
  const order = await receiptOf(harness, orderId);
  await expect.poll(() => harness.app.emails.map(({ subject }) => subject)).toHaveLength(1);
  const [email] = harness.app.emails;
  invariant(email, "No email was sent");
  const { subject, text, html } = email;
  expect(subject).toContain(small.name);
  const { title, seller } = receiptMessages.en;
  const texts = [
    title(orderNumber(order)),
    "Visa ••••\u00a04242",
    product.seller.name,
    ...product.seller.address,
    "Ada Ltd",
    address.line1,
    seller,
    formatMoney(order, "en"),
    `/settings/orders/${orderId}`,
  ];
  for (const fact of texts) expect([fact, text.includes(fact), html.includes(fact)]).toEqual([fact, true, true]);
});
