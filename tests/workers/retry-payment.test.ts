import { expect, test } from "vitest";
import { retryPayment } from "#app/domain/orders/retry-payment.server.ts";
import { openTill, type Till } from "#tests/support/till.ts";

/** Somebody whose first renewal was declined. */
async function aDebtor(): Promise<Till> {
  const till = await openTill();
  await till.buy();
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31.5);
  await till.settle();
  return till;
}

/** What the bank was asked and declined. */
async function declinesOf(till: Till): Promise<number> {
  const { data } = await till.stripe.charges.list({ customer: await till.customerId(), limit: 100 });
  return data.filter(({ status }) => status === "failed").length;
}

test("a second click on what the first one saw is no second try, and a later one is", async () => {
  const till = await aDebtor();
  expect(await declinesOf(till)).toBe(1);
  // The other one does all of it between the first one's look and its call.
  const payInvoice: typeof till.payments.payInvoice = async (...wish) => {
    await retryPayment(till.app, till.accountId);
    return till.payments.payInvoice(...wish);
  };
  const payments = Object.assign(Object.create(till.payments) as typeof till.payments, { payInvoice });
  const tried = await retryPayment({ ...till.app, payments }, till.accountId);
  expect(tried).toMatchObject({ ok: true, value: { state: "failed" } });
  expect(await declinesOf(till)).toBe(2);
  await retryPayment(till.app, till.accountId);
  expect(await declinesOf(till)).toBe(3);
});

test("a try with another card that goes through pays it once", async () => {
  const till = await aDebtor();
  await till.useCard("pm_card_visa");
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ ok: true, value: { state: "paid" } });
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ refusal: { reason: "nothing-due" } });
  expect(till.reports).toEqual([]);
});
