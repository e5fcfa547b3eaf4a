import { idOf } from "#tests/support/ids.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { manualRetriesPerDayMax, newCardRetriesPerDayMax } from "#app/modules/billing/sync/retries.rules.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import { billingFields } from "#tests/support/billing/checkout-fields.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

test("of two unpaid charges, the one named by the button is retried, and otherwise the one that is due longest", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
  const [renewal] = (await harness.rows()).orders;
  expect(renewal).toMatchObject({ kind: "renewal", state: "failed" });
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor, invoice_id,
       created_at, updated_at)
     values ('ord_older', ?1, 'failed', 'change', ?2, 'month', 'EUR', 900, 0, 'in_older', 0, 0)`,
  )
    .bind(harness.accountId, large.id)
    .run();
  const tries = async () => (await harness.stripe.charges.list({ customer: await harness.customerId() })).data.length;
  const before = await tries();
  expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({
    value: { id: "ord_older", state: "failed" },
  });
  expect(await tries()).toBe(before);
  const id = String(renewal?.["id"]);
  expect(await retryPayment(harness.app, harness.accountId, idOf("ord", id))).toMatchObject({
    value: { id, state: "failed" },
  });
  expect(await tries()).toBe(before + 1);
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  expect(await retryPayment(harness.app, harness.accountId, idOf("ord", id))).toMatchObject({
    refusal: { reason: "nothing-due" },
  });
  expect(await retryPayment(harness.app, harness.accountId, "ord_elsewhere")).toMatchObject({
    refusal: { reason: "nothing-due" },
  });
});

/** An account whose renewal was declined, and the attempts to collect it so far. */
async function indebted() {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31.5);
  await harness.reconcile();
  const tries = async () => {
    const { data } = await harness.stripe.charges.list({ customer: await harness.customerId() });
    return data.map(({ status }) => status).toReversed();
  };
  const renewal = async () => (await harness.rows()).orders.find(({ kind }) => kind === "renewal");
  expect(await tries()).toEqual(["succeeded", "failed"]);
  return { ...harness, harness, tries, renewal };
}

test("a new card pays a debt without the button, once, however many syncs see it", async () => {
  const { harness, tries, renewal } = await indebted();
  await harness.useCard("pm_card_mastercard");
  await Promise.all([harness.reconcile(), harness.reconcile(), harness.reconcile()]);
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "paid" });
  expect((await harness.rows()).subscriptions).toMatchObject([{ state: "active", card_last4: "4444" }]);
  expect(await tries()).toEqual(["succeeded", "failed", "succeeded"]);
});

test("a new card that is also declined is tried once, and so is the next one", async () => {
  const { harness, tries, renewal } = await indebted();
  await harness.useCard("pm_card_chargeCustomerFail");
  await Promise.all([harness.reconcile(), harness.reconcile(), harness.reconcile()]);
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "failed" });
  expect(await tries()).toEqual(["succeeded", "failed", "failed"]);
  await harness.useCard("pm_card_authenticationRequired");
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "needs-action" });
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "paid" });
});

test("a new card pays for an unpaid plan whose retries have ended", async () => {
  const { harness, renewal } = await indebted();
  await harness.pass(22);
  await harness.reconcile();
  expect((await harness.rows()).subscriptions).toMatchObject([{ state: "unpaid" }]);
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "paid" });
  expect((await harness.rows()).subscriptions).toMatchObject([{ state: "active" }]);
});

test("new cards are tried a limited number of times a day, and then the button remains", async () => {
  const { harness, tries, renewal } = await indebted();
  for (let card = 0; card < newCardRetriesPerDayMax + 2; card += 1) {
    await harness.useCard("pm_card_chargeCustomerFail");
    await harness.reconcile();
  }
  expect((await tries()).filter((status) => status === "failed")).toHaveLength(1 + newCardRetriesPerDayMax);
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  expect(await renewal()).toMatchObject({ state: "failed" });
  expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({ value: { state: "paid" } });
});

test("the button allows a limited number of attempts a day, simultaneous or not; then the page says when the next is possible", async () => {
  const { harness, tries } = await indebted();
  await Promise.all(Array.from({ length: 12 }, () => retryPayment(harness.app, harness.accountId)));
  let last = await retryPayment(harness.app, harness.accountId);
  for (let press = 0; press < manualRetriesPerDayMax; press += 1)
    last = await retryPayment(harness.app, harness.accountId);
  expect(last).toMatchObject({ refusal: { reason: "too-many-retries" } });
  const now = harness.app.clock();
  const retryAt = last.ok || !("retryAt" in last.refusal) ? 0 : last.refusal.retryAt;
  expect(retryAt).toBeGreaterThan(now + dayMs - minuteMs);
  expect(retryAt).toBeLessThanOrEqual(now + dayMs);
  expect((await tries()).filter((status) => status === "failed")).toHaveLength(1 + manualRetriesPerDayMax);
  await harness.pass(1.01);
  expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({ value: { state: "failed" } });
});

test("while a bank processes a debit, neither the button nor a new card retries", async () => {
  const harness = await openBillingHarness();
  const begun = await harness.choose();
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await harness.send(begun.value.url, { bank: "succeeds", ...billingFields });
  await harness.pass(6);
  await harness.reconcile();
  await harness.pass(25.5);
  await harness.reconcile();
  expect((await harness.rows()).orders).toMatchObject([{ state: "processing" }, { state: "paid" }]);
  expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({
    refusal: { reason: "payment-in-process" },
  });
  await harness.useCard("pm_card_visa");
  await harness.reconcile();
  const { data } = await harness.stripe.charges.list({ customer: await harness.customerId() });
  expect(data.map(({ payment_method_details: by }) => by?.type)).toEqual(["sepa_debit", "sepa_debit"]);
});

test("an abandoned draft is expired by the cron job, and its timeline says when", async () => {
  const harness = await openBillingHarness();
  await harness.control("disorder", { apiFault: { kind: "429", next: 9 } });
  await harness.choose(small.id);
  await harness.control("disorder", {});
  const at = harness.app.clock() + 2 * dayMs;
  const later = { ...harness.app, clock: () => at };
  await sweepOrders(later);
  await sweepOrders(later);
  const { orders, historyEvents } = await harness.rows();
  expect(orders).toMatchObject([{ state: "expired" }]);
  expect(historyEvents.map(({ what, happened_at: when }) => [what, when])).toContainEqual(["expired", at]);
});
