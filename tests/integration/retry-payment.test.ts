import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { retryPayment } from "#app/modules/checkout/commands/retry-payment.server.ts";
import { sweepOrders } from "#app/modules/billing-sync/commands/sweep-orders.server.ts";
import { manualRetriesPerDayMax, newCardRetriesPerDayMax } from "#app/modules/billing-sync/retries.rules.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { large, small } from "#tests/support/catalogue.ts";
import { billingFields } from "#tests/support/checkout-fields.ts";
import { openTill } from "#tests/support/till.ts";

test("of two charges that are unpaid the one is tried that its button named, and without a name the one that is due longest", async () => {
  const till = await openTill();
  await till.buy();
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31.5);
  await till.settle();
  const [renewal] = (await till.rows()).orders;
  expect(renewal).toMatchObject({ kind: "renewal", state: "failed" });
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor, invoice_id,
       created_at, updated_at)
     values ('ord_older', ?1, 'failed', 'change', ?2, 'month', 'EUR', 900, 0, 'in_older', 0, 0)`,
  )
    .bind(till.accountId, large.id)
    .run();
  const tries = async () => (await till.stripe.charges.list({ customer: await till.customerId() })).data.length;
  const before = await tries();
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ value: { id: "ord_older", state: "failed" } });
  expect(await tries()).toBe(before);
  const id = String(renewal?.["id"]);
  expect(await retryPayment(till.app, till.accountId, id)).toMatchObject({ value: { id, state: "failed" } });
  expect(await tries()).toBe(before + 1);
  await till.useCard("pm_card_visa");
  await till.settle();
  expect(await retryPayment(till.app, till.accountId, id)).toMatchObject({ refusal: { reason: "nothing-due" } });
  expect(await retryPayment(till.app, till.accountId, "ord_elsewhere")).toMatchObject({
    refusal: { reason: "nothing-due" },
  });
});

/** Somebody whose renewal was declined, and the tries to collect it so far. */
async function indebted() {
  const till = await openTill();
  await till.buy();
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31.5);
  await till.settle();
  const tries = async () => {
    const { data } = await till.stripe.charges.list({ customer: await till.customerId() });
    return data.map(({ status }) => status).toReversed();
  };
  const renewal = async () => (await till.rows()).orders.find(({ kind }) => kind === "renewal");
  expect(await tries()).toEqual(["succeeded", "failed"]);
  return { ...till, till, tries, renewal };
}

test("a new card pays what is owed without a press, once, however many syncs see it", async () => {
  const { till, tries, renewal } = await indebted();
  await till.useCard("pm_card_mastercard");
  await Promise.all([till.settle(), till.settle(), till.settle()]);
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "paid" });
  expect((await till.rows()).subscriptions).toMatchObject([{ state: "active", card_last4: "4444" }]);
  expect(await tries()).toEqual(["succeeded", "failed", "succeeded"]);
});

test("a new card that is declined as well is tried once, and the next one once more", async () => {
  const { till, tries, renewal } = await indebted();
  await till.useCard("pm_card_chargeCustomerFail");
  await Promise.all([till.settle(), till.settle(), till.settle()]);
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "failed" });
  expect(await tries()).toEqual(["succeeded", "failed", "failed"]);
  await till.useCard("pm_card_authenticationRequired");
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "needs-action" });
  await till.useCard("pm_card_visa");
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "paid" });
});

test("a new card pays for a plan whose retries are over: it is unpaid no longer", async () => {
  const { till, renewal } = await indebted();
  await till.pass(22);
  await till.settle();
  expect((await till.rows()).subscriptions).toMatchObject([{ state: "unpaid" }]);
  await till.useCard("pm_card_visa");
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "paid" });
  expect((await till.rows()).subscriptions).toMatchObject([{ state: "active" }]);
});

test("new cards are tried so often a day and no more: the button remains", async () => {
  const { till, tries, renewal } = await indebted();
  for (let card = 0; card < newCardRetriesPerDayMax + 2; card += 1) {
    await till.useCard("pm_card_chargeCustomerFail");
    await till.settle();
  }
  expect((await tries()).filter((status) => status === "failed")).toHaveLength(1 + newCardRetriesPerDayMax);
  await till.useCard("pm_card_visa");
  await till.settle();
  expect(await renewal()).toMatchObject({ state: "failed" });
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ value: { state: "paid" } });
});

test("so many presses a day are attempts, raced or one after the other; then it says when the next one can be", async () => {
  const { till, tries } = await indebted();
  await Promise.all(Array.from({ length: 12 }, () => retryPayment(till.app, till.accountId)));
  let last = await retryPayment(till.app, till.accountId);
  for (let press = 0; press < manualRetriesPerDayMax; press += 1) last = await retryPayment(till.app, till.accountId);
  expect(last).toMatchObject({ refusal: { reason: "too-many-retries" } });
  const now = till.app.clock();
  const retryAt = last.ok || !("retryAt" in last.refusal) ? 0 : last.refusal.retryAt;
  expect(retryAt).toBeGreaterThan(now + dayMs - minuteMs);
  expect(retryAt).toBeLessThanOrEqual(now + dayMs);
  expect((await tries()).filter((status) => status === "failed")).toHaveLength(1 + manualRetriesPerDayMax);
  await till.pass(1.01);
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ value: { state: "failed" } });
});

test("while a bank works on a debit nothing is tried, by a press or with a new card", async () => {
  const till = await openTill();
  const begun = await till.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await till.send(begun.value.url, { bank: "succeeds", ...billingFields });
  await till.pass(6);
  await till.settle();
  await till.pass(25.5);
  await till.settle();
  expect((await till.rows()).orders).toMatchObject([{ state: "processing" }, { state: "paid" }]);
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ refusal: { reason: "payment-in-process" } });
  await till.useCard("pm_card_visa");
  await till.settle();
  const { data } = await till.stripe.charges.list({ customer: await till.customerId() });
  expect(data.map(({ payment_method_details: by }) => by?.type)).toEqual(["sepa_debit", "sepa_debit"]);
});

test("a draft that nobody went on with is expired by the clock, and its timeline says when", async () => {
  const till = await openTill();
  await till.control("disorder", { apiFault: { kind: "429", next: 9 } });
  await till.choose(small.id);
  await till.control("disorder", {});
  const at = till.app.clock() + 2 * dayMs;
  const later = { ...till.app, clock: () => at };
  await sweepOrders(later);
  await sweepOrders(later);
  const { orders, moments } = await till.rows();
  expect(orders).toMatchObject([{ state: "expired" }]);
  expect(moments.map(({ what, happened_at: when }) => [what, when])).toContainEqual(["expired", at]);
});
