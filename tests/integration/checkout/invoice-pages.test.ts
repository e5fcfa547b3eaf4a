import { expect, test } from "vitest";
import { findInvoicePage } from "#app/modules/order-history/reads/find-invoice-page.server.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

test("the invoice of an order from months ago opens, although its former address has expired", async () => {
  const harness = await openBillingHarness();
  const orderId = await harness.buy(small.id, "year");
  await harness.reconcile();
  const stored = String((await harness.rows()).orders[0]?.["receipt_url"]);
  expect((await fetch(stored)).status).toBe(200);
  await harness.pass(200);
  expect((await fetch(stored)).status).toBe(410);
  const found = await findInvoicePage(harness.app, harness.accountId, orderId);
  if (found === null || found === "unanswered") throw new Error("There is no invoice");
  const page = await fetch(found.url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Receipt")]);
  // It works for some days only.
  await harness.pass(9);
  expect((await fetch(found.url)).status).toBe(200);
  await harness.pass(2);
  expect((await fetch(found.url)).status).toBe(410);
});

test("an unpaid or foreign order has no invoice to open, and a provider that doesn't answer is a different refusal", async () => {
  const harness = await openBillingHarness();
  const begun = await harness.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  const { orderId, url } = begun.value;
  expect(await findInvoicePage(harness.app, harness.accountId, orderId)).toBeNull();
  await harness.leaveCheckout(url, "paid");
  await harness.reconcile();
  expect(await findInvoicePage(harness.app, "acc_other", orderId)).toBeNull();
  expect(await findInvoicePage(harness.app, harness.accountId, "ord_nowhere")).toBeNull();
  await harness.control("disorder", { apiFault: { kind: "500", next: 1 } });
  expect(await findInvoicePage(harness.app, harness.accountId, orderId)).toBe("unanswered");
  expect(await findInvoicePage({ ...harness.app, payments: null }, harness.accountId, orderId)).toBe("unanswered");
});
