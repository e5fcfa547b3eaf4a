import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { startCheckout } from "#app/modules/checkout/commands/start-checkout.server.ts";
import { findStanding } from "#app/modules/referrals/reads/find-standing.server.ts";
import { offerPlan } from "#app/modules/referrals/reads/offer-plan.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/catalogue.ts";
import { killedAtCall } from "#tests/support/killed.ts";
import { openTill } from "#tests/support/till.ts";

test("a checkout that ended unheard leads nobody to its page again: another one is opened", async () => {
  const till = await openTill();
  const first = await till.choose();
  const again = await till.choose();
  expect(again).toEqual(first);
  if (first.ok) await till.leaveCheckout(first.value.url, "expired");
  const second = await till.choose();
  expect(second).toMatchObject({ ok: true });
  expect(second.ok && second.value.url).not.toBe(first.ok && first.value.url);
  expect((await till.rows()).orders.map(({ state }) => state).toSorted()).toEqual(["expired", "pending"]);
  const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.map(({ status }) => status)).toEqual(["open", "expired"]);
});

test("a checkout that was paid unheard is not paid twice: the plan runs", async () => {
  const till = await openTill();
  await till.buy();
  expect(await till.choose()).toMatchObject({ refusal: { reason: "subscribed-already", planId: small.id } });
});

test("a plan that begins while another is being chosen lets nothing be begun beside it", async () => {
  const till = await openTill();
  let looks = 0;
  const batch: typeof till.app.db.batch = async (statements) => {
    const answer = await till.app.db.batch(statements);
    looks += 1;
    // Between the look at what runs and the order.
    if (looks === 1) {
      await till.buy();
      await till.settle();
    }
    return answer;
  };
  const db = Object.assign(Object.create(till.app.db) as typeof till.app.db, { batch });
  const late = await till.choose(small.id, "year", { ...till.app, db });
  expect(late).toMatchObject({ refusal: { reason: "subscribed-already", planId: small.id } });
  expect((await till.rows()).orders).toMatchObject([{ state: "paid" }]);
});

test("a checkout leads to its page also while the provider doesn't answer", async () => {
  const till = await openTill();
  const first = await till.choose();
  await till.control("disorder", { apiFault: { kind: "500", next: 9 } });
  expect(await till.choose()).toEqual(first);
});

test("nothing is opened while it isn't known whether an earlier checkout can still be paid", async () => {
  const till = await openTill();
  const open = async () => {
    const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
    return sessions.filter(({ status }) => status === "open").map(({ url }) => url);
  };
  const first = await till.choose();
  // Given up here, and the provider was never told.
  await env.DB.prepare("update orders set state = 'cancelled' where account_id = ?").bind(till.accountId).run();
  await till.control("disorder", { apiFault: { kind: "500", next: 1 } });
  expect(await till.choose()).toMatchObject({ ok: false, refusal: { reason: "provider-unreachable" } });
  expect(await open()).toEqual([first.ok && first.value.url]);
  const second = await till.choose();
  expect(await open()).toEqual([second.ok && second.value.url]);
});

test("a checkout that opens when another tab has chosen another plan meanwhile is closed again", async () => {
  const till = await openTill();
  let other = null;
  const openCheckout: typeof till.payments.openCheckout = async (wish) => {
    other = await till.choose(small.id, "year");
    return till.payments.openCheckout(wish);
  };
  const payments = Object.assign(Object.create(till.payments) as typeof till.payments, { openCheckout });
  const late = await till.choose(small.id, "month", { ...till.app, payments });
  expect([late, other]).toMatchObject([{ refusal: { reason: "payment-in-process" } }, { ok: true }]);
  const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.map(({ status }) => status)).toEqual(["expired", "open"]);
});

test("who changes language, time zone and name between two clicks goes on with the checkout of the first, also where its answer was lost", async () => {
  const till = await openTill();
  // The calls: a customer and the checkout, whose answer nobody reads.
  const { payments } = killedAtCall(till.payments, 2, "after");
  await expect(till.choose(small.id, "month", { ...till.app, payments })).rejects.toThrow("killed");
  await env.DB.prepare("update accounts set locale = 'de-DE', time_zone = 'Europe/Berlin', name = 'Mara' where id = ?")
    .bind(till.accountId)
    .run();
  const begun = await till.choose();
  const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions).toMatchObject([{ status: "open", client_reference_id: begun.ok && begun.value.orderId }]);
  expect((await till.rows()).orders).toMatchObject([{ state: "pending" }]);
});

test("a change that nobody was charged for, of a plan that has ended meanwhile, keeps nobody from beginning anew", async () => {
  const till = await openTill();
  await till.buy();
  await till.settle();
  const began = till.app.clock();
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor, proration_at,
       created_at, expires_at, updated_at)
     values ('ord_change', ?1, 'draft', 'change', ?2, 'month', 'EUR', 900, 0, ?3, ?3, ?4, ?3)`,
  )
    .bind(till.accountId, small.id, began, began + dayMs)
    .run();
  const [plan] = (await till.stripe.subscriptions.list({ limit: 1 })).data;
  await till.stripe.subscriptions.cancel(plan?.id ?? "");
  await till.settle();
  // It may be under way in another tab.
  expect(await till.choose()).toMatchObject({ refusal: { reason: "payment-in-process", orderId: "ord_change" } });
  await till.pass(0.1);
  const begun = await till.choose();
  expect(begun).toMatchObject({ ok: true });
  const states = (await till.rows()).orders.map(({ id, kind, state }) => [
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

test("a debt that the provider has is charged with the first payment, and quoted before", async () => {
  const till = await openTill();
  await till.buy();
  await till.settle();
  const customer = await till.customerId();
  const [plan] = (await till.stripe.subscriptions.list({ limit: 1 })).data;
  await till.stripe.subscriptions.cancel(plan?.id ?? "");
  await till.stripe.customers.createBalanceTransaction(customer, {
    amount: 300,
    currency: product.currency.toLowerCase(),
  });
  await till.settle();
  const standing = await findStanding(till.app, till.accountId);
  expect([standing.running, standing.creditMinor]).toEqual([null, -300]);
  const { offer } = await offerPlan(till.app, till.accountId, standing, { planId: small.id, interval: "month" });
  if (offer?.kind !== "start") throw new Error("No offer");
  expect(offer.now.amountMinor).toBe(minor(small) + 300);
  const wish = { planId: small.id, interval: "month", quote: offer.quote, ...standing } as const;
  const begun = await startCheckout(till.app, await till.account(), wish);
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await till.leaveCheckout(begun.value.url, "paid");
  const [invoice] = (await till.stripe.invoices.list({ limit: 1 })).data;
  expect(invoice?.amount_paid).toBe(offer.now.amountMinor);
});

test("what the ledger takes back comes off no money", async () => {
  const till = await openTill();
  await till.buy();
  await till.settle();
  await env.DB.prepare(
    `insert into ledger_lines (id, account_id, kind, amount_minor, currency, why, happened_at)
     values ('led_back', ?1, 'reversed', -500, '${product.currency}', 'taken back', 0)`,
  )
    .bind(till.accountId)
    .run();
  expect((await findStanding(till.app, till.accountId)).creditMinor).toBe(0);
});

test("an email address that Stripe doesn't accept is refused by name, leaves no order open, and another address buys", async () => {
  const till = await openTill();
  await env.DB.prepare("update accounts set email = ?2 where id = ?1").bind(till.accountId, "jürgen@example.com").run();
  expect(await till.choose()).toEqual({ ok: false, refusal: { reason: "email-refused" } });
  expect((await till.rows()).orders).toMatchObject([{ state: "cancelled" }]);
  await env.DB.prepare("update accounts set email = ?2 where id = ?1")
    .bind(till.accountId, "juergen@example.com")
    .run();
  expect(await till.choose()).toMatchObject({ ok: true });
});

test("a price that is below Stripe's smallest charge is refused by name and leaves no order open", async () => {
  const prices = { month: { amountMinor: 30 }, year: { amountMinor: 300 } };
  const plans = product.plans.map((plan) => (plan.id === small.id ? { ...plan, prices } : plan));
  const till = await openTill({ ...product, plans });
  expect(await till.choose()).toEqual({
    ok: false,
    refusal: { reason: "amount-too-small" },
  });
  expect((await till.rows()).orders).toMatchObject([{ state: "cancelled" }]);
});

test("a checkout asks for no conversion into the customer's currency: the quoted currency is the charged one", async () => {
  const till = await openTill();
  expect(await till.choose()).toMatchObject({ ok: true });
  expect((await till.stripe.checkout.sessions.list()).data).toMatchObject([{ adaptive_pricing: { enabled: false } }]);
});
