import { expect, test } from "vitest";
import { findInvoicePage } from "#app/modules/order-history/reads/find-invoice-page.server.ts";
import { small } from "#tests/support/catalogue.ts";
import { openTill } from "#tests/support/till.ts";

test("the invoice of an order from months ago opens, whose address of then has expired", async () => {
  const till = await openTill();
  const orderId = await till.buy(small.id, "year");
  await till.settle();
  const stored = String((await till.rows()).orders[0]?.["receipt_url"]);
  expect((await fetch(stored)).status).toBe(200);
  await till.pass(200);
  expect((await fetch(stored)).status).toBe(410);
  const found = await findInvoicePage(till.app, till.accountId, orderId);
  if (found === null || found === "unanswered") throw new Error("There is no invoice");
  const page = await fetch(found.url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Receipt")]);
  // It works for some days, and no longer than that.
  await till.pass(9);
  expect((await fetch(found.url)).status).toBe(200);
  await till.pass(2);
  expect((await fetch(found.url)).status).toBe(410);
});

test("an order that isn't paid, or is somebody else's, has no invoice to open; no answer is not the same", async () => {
  const till = await openTill();
  const begun = await till.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  const { orderId, url } = begun.value;
  expect(await findInvoicePage(till.app, till.accountId, orderId)).toBeNull();
  await till.leaveCheckout(url, "paid");
  await till.settle();
  expect(await findInvoicePage(till.app, "acc_other", orderId)).toBeNull();
  expect(await findInvoicePage(till.app, till.accountId, "ord_nowhere")).toBeNull();
  await till.control("disorder", { apiFault: { kind: "500", next: 1 } });
  expect(await findInvoicePage(till.app, till.accountId, orderId)).toBe("unanswered");
  expect(await findInvoicePage({ ...till.app, payments: null }, till.accountId, orderId)).toBe("unanswered");
});
