import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { findPayment } from "#app/modules/checkout/reads/find-payment.server.ts";
import { retryPayment } from "#app/modules/checkout/commands/retry-payment.server.ts";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/plan-changes/commands/start-change.server.ts";
import { changeOrderState, markUnconfirmed } from "#app/modules/orders/moves.queries.server.ts";
import { paymentPath } from "#app/modules/orders/unconfirmed.rules.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { large } from "#tests/support/catalogue.ts";
import { openTill, type Till } from "#tests/support/till.ts";

const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });

const marks = async (till: Till) => (await till.rows()).orders.map((order) => order.unconfirmed_until);

/** Somebody with a running plan and the offer of a larger one. */
async function changer() {
  const till = await openTill();
  await till.buy();
  await till.settle();
  const running = await findRunningSubscription(till.app.db, till.accountId);
  if (!running) throw new Error("Nothing runs");
  const standing = { accountId: till.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
  const wish = { planId: large.id, interval: "month" } as const;
  const offer = await offerChange(till.app, standing, wish);
  if (offer.kind !== "now") throw new Error(offer.kind);
  const confirm = async (payments: Partial<Till["payments"]> = {}) =>
    startChange({ ...till.app, payments: { ...till.payments, ...payments } }, await till.account(), {
      ...wish,
      ...offer,
    });
  return { till, confirm };
}

test("a sync that asked before the customer paid says nothing of the payment, and one that asks afterwards does", async () => {
  const till = await openTill();
  const orderId = await till.buy();
  const down = { ...till.app, payments: { ...till.payments, fetchBilling: silent } };
  let marked = 0;
  const late: Till["payments"] = {
    ...till.payments,
    async fetchBilling(...asked) {
      const billing = await till.payments.fetchBilling(...asked);
      // The page is opened while this answer is under way, a moment later.
      const page = await findPayment({ ...down, wallClock: () => Date.now() + 5 }, till.accountId, orderId);
      marked = page?.order.unconfirmedUntil ?? 0;
      return billing.ok
        ? { ok: true, value: { ...billing.value, invoices: [], subscriptions: [], checkouts: [] } }
        : billing;
    },
  };
  expect(await till.settle({ ...till.app, payments: late })).toMatchObject({ ok: true });
  expect(marked).toBeGreaterThan(0);
  expect(await marks(till)).toEqual([marked]);
  expect(await till.settle({ ...till.app, wallClock: () => marked })).toMatchObject({ ok: true });
  expect((await till.rows()).orders).toMatchObject([{ state: "paid", unconfirmed_until: null }]);
});

test.each(["processing", "paid", "partially-refunded", "refunded", "draft"])(
  "an order that is %s is never unconfirmed: of a draft the checkout was shown to nobody",
  async (state) => {
    const till = await openTill();
    await till.choose();
    const number =
      state === "paid" || state.endsWith("refunded") ? ", number_year = 2026, number_in_year = 1, paid_at = 1" : "";
    await env.DB.prepare(`update orders set state = ?1${number}`).bind(state).run();
    await markUnconfirmed(till.app.db, { accountId: till.accountId, until: 9 });
    const [order] = (await till.rows()).orders;
    await markUnconfirmed(till.app.db, { accountId: till.accountId, orderId: String(order?.id), until: 9 });
    expect(await marks(till)).toEqual([null]);
  },
);

test("a retry without an answer is unconfirmed for as long as it may still be charged, and isn't made again meanwhile", async () => {
  const till = await openTill();
  const paidId = await till.buy();
  await till.settle();
  await till.useCard("pm_card_chargeCustomerFail");
  await till.pass(31);
  await till.settle();
  let tries = 0;
  const lost = async () => {
    tries += 1;
    return silent();
  };
  const down = { ...till.app, payments: { ...till.payments, payInvoice: lost } };
  const first = await retryPayment(down, till.accountId);
  const renewal = (await till.rows()).orders.find(({ id }) => id !== paidId);
  expect(first).toEqual({ ok: false, refusal: { reason: "payment-unconfirmed", orderId: renewal?.id } });
  expect(await retryPayment(down, till.accountId)).toEqual(first);
  expect(tries).toBe(1);
  await till.settle();
  expect((await retryPayment(down, till.accountId)).ok).toBe(false);
  expect(tries).toBe(1);
  await till.settle({ ...till.app, wallClock: () => Date.now() + 31_000 });
  expect(await retryPayment(till.app, till.accountId)).toMatchObject({ ok: true, value: { state: "failed" } });
});

test("a confirmation that is answered while another one's charge is being written leads to what that charged", async () => {
  const { till, confirm } = await changer();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let charged = () => {};
  const hasCharged = new Promise<void>((resolve) => (charged = resolve));
  // The winner's charge is made and tied to the order; it hasn't asked what came of it so far.
  const winner = confirm({
    async fetchBilling(...asked) {
      charged();
      await held;
      return till.payments.withOwnDeadline().fetchBilling(...asked);
    },
  });
  let asked = 0;
  const loser = await confirm({
    // Stripe: the key is in use.
    changePlan: silent,
    async fetchBilling(...wanted) {
      asked += 1;
      const billing = await till.payments.withOwnDeadline().fetchBilling(...wanted);
      // The first time it asked before the charge, and is written after it.
      if (asked > 1 || !billing.ok) return billing;
      await hasCharged;
      const invoices = billing.value.invoices.filter(({ cause }) => cause === "new-plan");
      const payments = billing.value.payments.slice(-1);
      return { ok: true, value: { ...billing.value, invoices, payments } };
    },
  });
  goOn();
  for (const outcome of [loser, await winner]) {
    if (!outcome.ok || outcome.value.kind !== "begun") throw new Error("Not begun");
    expect(paymentPath(outcome.value.order)).toBe(`/payment/success?order=${outcome.value.order.id}`);
  }
  expect((await till.rows()).orders.map(({ state }) => state)).toEqual(["paid", "paid"]);
});

test("a confirmation that was refused gives up a draft, and no order that another one has charged meanwhile", async () => {
  const { till, confirm } = await changer();
  const charged = await confirm({
    // Another click's charge is known the moment after this one's refusal.
    async changePlan(wish) {
      const changed = await till.payments.withOwnDeadline().changePlan(wish);
      const end = { to: "cancelled", from: ["draft"], failure: null } as const;
      await env.DB.prepare("update orders set state = 'pending' where id = ?").bind(wish.orderId).run();
      await till.app.db.batch(changeOrderState(till.app.db, wish.orderId, end, Date.now()));
      return changed.ok ? refused({ reason: "provider-refused" as const, code: "lock" }) : changed;
    },
  });
  expect(charged).toMatchObject({ ok: true, value: { order: { state: "paid" } } });
  const other = await changer();
  const code = "resource_missing";
  const gone = await other.confirm({ changePlan: async () => refused({ reason: "provider-refused" as const, code }) });
  expect(gone).toEqual({ ok: false, refusal: { reason: "provider-refused", code } });
  expect((await other.till.rows()).orders.map(({ state }) => state).toSorted()).toEqual(["cancelled", "paid"]);
});
