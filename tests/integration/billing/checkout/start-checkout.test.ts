import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { startCheckout } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { killedAtCall } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

test("a checkout that ended without its event leads to a new one instead of its page", async () => {
  const harness = await openBillingHarness();
  const first = await harness.choose();
  const again = await harness.choose();
  expect(again).toEqual(first);
  if (first.ok) await harness.leaveCheckout(first.value.url, "expired");
  const second = await harness.choose();
  expect(second).toMatchObject({ ok: true });
  expect(second.ok && second.value.url).not.toBe(first.ok && first.value.url);
  expect((await harness.rows()).orders.map(({ state }) => state).toSorted()).toEqual(["expired", "pending"]);
  const { data: sessions } = await harness.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.map(({ status }) => status)).toEqual(["open", "expired"]);
});

test("a checkout of another amount isn't resumed: it is closed, and the new amount is charged", async () => {
  const harness = await openBillingHarness();
  const first = await harness.choose();
  const cheaper = await harness.choose(small.id, "month", harness.app, { creditMinor: 100 });
  expect(cheaper.ok && cheaper.value.orderId).not.toBe(first.ok && first.value.orderId);
  const { data: sessions } = await harness.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.map(({ status }) => status)).toEqual(["open", "expired"]);
  const open = (await harness.rows()).orders.filter(({ state }) => state === "pending");
  expect(open).toMatchObject([{ amount_minor: minor(small) - 100 }]);
});

test("a checkout that was paid without its event is not paid twice, and the plan runs", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  expect(await harness.choose()).toMatchObject({ refusal: { reason: "subscribed-already", planId: small.id } });
});

test("a plan that begins while another is being chosen prevents a second purchase", async () => {
  const harness = await openBillingHarness();
  let looks = 0;
  const batch: typeof harness.app.db.batch = async (statements) => {
    const answer = await harness.app.db.batch(statements);
    looks += 1;
    // Between reading the running plan and writing the order.
    if (looks === 1) {
      await harness.buy();
      await harness.reconcile();
    }
    return answer;
  };
  const db = Object.assign(Object.create(harness.app.db) as typeof harness.app.db, { batch });
  const late = await harness.choose(small.id, "year", { ...harness.app, db });
  expect(late).toMatchObject({ refusal: { reason: "subscribed-already", planId: small.id } });
  expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }]);
});

test("a checkout leads to its page even while the provider doesn't answer", async () => {
  const harness = await openBillingHarness();
  const first = await harness.choose();
  await harness.control("disorder", { apiFault: { kind: "500", next: 9 } });
  expect(await harness.choose()).toEqual(first);
});

test("no checkout is opened while an earlier one may still be payable", async () => {
  const harness = await openBillingHarness();
  const open = async () => {
    const { data: sessions } = await harness.stripe.checkout.sessions.list({ limit: 100 });
    return sessions.filter(({ status }) => status === "open").map(({ url }) => url);
  };
  const first = await harness.choose();
  // Cancelled here, and the provider was never informed.
  await env.DB.prepare("update orders set state = 'cancelled' where account_id = ?").bind(harness.accountId).run();
  await harness.control("disorder", { apiFault: { kind: "500", next: 1 } });
  expect(await harness.choose()).toMatchObject({ ok: false, refusal: { reason: "provider-unreachable" } });
  expect(await open()).toEqual([first.ok && first.value.url]);
  const second = await harness.choose();
  expect(await open()).toEqual([second.ok && second.value.url]);
});

test("a checkout that opens after another plan was chosen in another tab is closed again", async () => {
  const harness = await openBillingHarness();
  let other = null;
  const openCheckout: typeof harness.payments.openCheckout = async (input) => {
    other = await harness.choose(small.id, "year");
    return harness.payments.openCheckout(input);
  };
  const payments = Object.assign(Object.create(harness.payments) as typeof harness.payments, { openCheckout });
  const late = await harness.choose(small.id, "month", { ...harness.app, payments });
  expect([late, other]).toMatchObject([{ refusal: { reason: "payment-in-process" } }, { ok: true }]);
  const { data: sessions } = await harness.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.map(({ status }) => status)).toEqual(["expired", "open"]);
});

test("a customer who changes language, time zone and name between two clicks continues with the first checkout, even if its answer was lost", async () => {
  const harness = await openBillingHarness();
  // The calls: a customer and the checkout, whose answer is lost.
  const { payments } = killedAtCall(harness.payments, 2, "after");
  await expect(harness.choose(small.id, "month", { ...harness.app, payments })).rejects.toThrow("killed");
  await env.DB.prepare("update accounts set locale = 'de-DE', time_zone = 'Europe/Berlin', name = 'Mara' where id = ?")
    .bind(harness.accountId)
    .run();
  const begun = await harness.choose();
  const { data: sessions } = await harness.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions).toMatchObject([{ status: "open", client_reference_id: begun.ok && begun.value.orderId }]);
  expect((await harness.rows()).orders).toMatchObject([{ state: "pending" }]);
});

test("a change that was never charged, of a plan that has since ended, doesn't prevent a new purchase", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const began = harness.app.clock();
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor, proration_at,
       created_at, expires_at, updated_at)
     values ('ord_change', ?1, 'draft', 'change', ?2, 'month', 'EUR', 900, 0, ?3, ?3, ?4, ?3)`,
  )
    .bind(harness.accountId, small.id, began, began + dayMs)
    .run();
  const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
  await harness.stripe.subscriptions.cancel(subscription?.id ?? "");
  await harness.reconcile();
  // It may be running in another tab.
  expect(await harness.choose()).toMatchObject({ refusal: { reason: "payment-in-process", orderId: "ord_change" } });
  await harness.pass(0.1);
  const begun = await harness.choose();
  expect(begun).toMatchObject({ ok: true });
  const states = (await harness.rows()).orders.map(({ id, kind, state }) => [
    kind,
    state,
    begun.ok && id === begun.value.orderId,
  ]);
  expect(states).toEqual(
    expect.arrayContaining([
      ["change", "cancelled", false],
      ["new-plan", "pending", true],
    ]),
  );
});

test("a debt at the provider is charged with the first payment, and included in its quote", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const customer = await harness.customerId();
  const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
  await harness.stripe.subscriptions.cancel(subscription?.id ?? "");
  await harness.stripe.customers.createBalanceTransaction(customer, {
    amount: 300,
    currency: product.currency.toLowerCase(),
  });
  await harness.reconcile();
  const buyer = await findBuyer(harness.app, harness.accountId);
  expect([buyer.running, buyer.creditMinor]).toEqual([null, -300]);
  const { offer } = await offerPlan(harness.app, harness.accountId, buyer, { planId: small.id, interval: "month" });
  if (offer?.kind !== "start") throw new Error("No offer");
  expect(offer.dueNow.amountMinor).toBe(minor(small) + 300);
  const input = { planId: small.id, interval: "month", quote: offer.quote, ...buyer } as const;
  const begun = await startCheckout(harness.app, await harness.account(), input);
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await harness.leaveCheckout(begun.value.url, "paid");
  const [invoice] = (await harness.stripe.invoices.list({ limit: 1 })).data;
  expect(invoice?.amount_paid).toBe(offer.dueNow.amountMinor);
});

test("credit that the ledger deducts reduces no payment", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  await env.DB.prepare(
    `insert into ledger_lines (id, account_id, kind, amount_minor, currency, why, happened_at)
     values ('led_back', ?1, 'reversed', -500, '${product.currency}', 'taken', 0)`,
  )
    .bind(harness.accountId)
    .run();
  expect((await findBuyer(harness.app, harness.accountId)).creditMinor).toBe(0);
});

test("an email address that Stripe rejects is named in the refusal and leaves no order open, and another address can buy", async () => {
  const harness = await openBillingHarness();
  await env.DB.prepare("update accounts set email = ?2 where id = ?1")
    .bind(harness.accountId, "jürgen@example.com")
    .run();
  expect(await harness.choose()).toEqual({ ok: false, refusal: { reason: "email-refused" } });
  expect((await harness.rows()).orders).toMatchObject([{ state: "cancelled" }]);
  await env.DB.prepare("update accounts set email = ?2 where id = ?1")
    .bind(harness.accountId, "juergen@example.com")
    .run();
  expect(await harness.choose()).toMatchObject({ ok: true });
});

test("a price below Stripe's minimum charge is named in the refusal and leaves no order open", async () => {
  const prices = { month: { amountMinor: 30 }, year: { amountMinor: 300 } };
  const plans = product.plans.map((plan) => (plan.id === small.id ? { ...plan, prices } : plan));
  const harness = await openBillingHarness({ ...product, plans });
  expect(await harness.choose()).toEqual({
    ok: false,
    refusal: { reason: "amount-too-small" },
  });
  expect((await harness.rows()).orders).toMatchObject([{ state: "cancelled" }]);
});

test("a checkout isn't converted into the customer's currency, so that the quoted currency is charged", async () => {
  const harness = await openBillingHarness();
  expect(await harness.choose()).toMatchObject({ ok: true });
  expect((await harness.stripe.checkout.sessions.list()).data).toMatchObject([
    { adaptive_pricing: { enabled: false } },
  ]);
});
