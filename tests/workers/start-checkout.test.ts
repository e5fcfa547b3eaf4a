import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { small } from "#tests/support/catalogue.ts";
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
  // The calls: a customer, a look at what else is open, and the checkout, whose answer nobody reads.
  const { payments } = killedAtCall(till.payments, 3, "after");
  await expect(till.choose(small.id, "month", { ...till.app, payments })).rejects.toThrow("killed");
  await env.DB.prepare("update accounts set locale = 'de-DE', time_zone = 'Europe/Berlin', name = 'Mara' where id = ?")
    .bind(till.accountId)
    .run();
  const begun = await till.choose();
  const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions).toMatchObject([{ status: "open", client_reference_id: begun.ok && begun.value.orderId }]);
  expect((await till.rows()).orders).toMatchObject([{ state: "pending" }]);
});
