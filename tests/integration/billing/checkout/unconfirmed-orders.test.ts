import { idOf } from "#tests/support/ids.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { refused } from "#app/core/result.ts";
import { findPayment } from "#app/modules/billing/checkout/reads/find-payment.server.ts";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { changeOrderState, changeToUnconfirmed } from "#app/modules/billing/orders/states.queries.server.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

const silent = async () => refused({ reason: "provider-unreachable" as const, isFinal: false });

const unconfirmedUntil = async (harness: BillingHarness) =>
  (await harness.rows()).orders.map((order) => order.unconfirmed_until);

/** An account with a running plan and the offer of a larger one. */
async function changer() {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const running = await findRunningSubscription(harness.app.db, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const buyer = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
  const input = { planId: large.id, interval: "month" } as const;
  const offer = await offerChange(harness.app, buyer, input);
  if (offer.kind !== "now") throw new Error(offer.kind);
  const confirm = async (payments: Partial<BillingHarness["payments"]> = {}) =>
    startChange({ ...harness.app, payments: { ...harness.payments, ...payments } }, await harness.account(), {
      ...input,
      ...offer,
    });
  return { harness, confirm };
}

test("a sync that read before the payment doesn't confirm it, and one that reads afterwards does", async () => {
  const harness = await openBillingHarness();
  const orderId = await harness.buy();
  const down = { ...harness.app, payments: { ...harness.payments, fetchBilling: silent } };
  let marked = 0;
  const late: BillingHarness["payments"] = {
    ...harness.payments,
    async fetchBilling(...request) {
      const billing = await harness.payments.fetchBilling(...request);
      // The page is opened while this answer is pending, a moment later.
      const page = await findPayment({ ...down, wallClock: () => Date.now() + 5 }, harness.accountId, orderId);
      marked = page?.order.unconfirmedUntil ?? 0;
      return billing.ok
        ? { ok: true, value: { ...billing.value, invoices: [], subscriptions: [], checkouts: [] } }
        : billing;
    },
  };
  expect(await harness.reconcile({ ...harness.app, payments: late })).toMatchObject({ ok: true });
  expect(marked).toBeGreaterThan(0);
  expect(await unconfirmedUntil(harness)).toEqual([marked]);
  expect(await harness.reconcile({ ...harness.app, wallClock: () => marked })).toMatchObject({ ok: true });
  expect((await harness.rows()).orders).toMatchObject([{ state: "paid", unconfirmed_until: null }]);
});

test.each(["processing", "paid", "partially-refunded", "refunded", "draft"])(
  "an order that is %s is never unconfirmed, since the checkout of a draft was never shown",
  async (state) => {
    const harness = await openBillingHarness();
    await harness.choose();
    const number =
      state === "paid" || state.endsWith("refunded") ? ", number_year = 2026, number_in_year = 1, paid_at = 1" : "";
    await env.DB.prepare(`update orders set state = ?1${number}`).bind(state).run();
    await changeToUnconfirmed(harness.app.db, { accountId: harness.accountId, until: 9 });
    const [order] = (await harness.rows()).orders;
    await changeToUnconfirmed(harness.app.db, {
      accountId: harness.accountId,
      orderId: idOf("ord", String(order?.id)),
      until: 9,
    });
    expect(await unconfirmedUntil(harness)).toEqual([null]);
  },
);

test("a retry without an answer is unconfirmed while it may still be charged, and isn't repeated meanwhile", async () => {
  const harness = await openBillingHarness();
  const paidId = await harness.buy();
  await harness.reconcile();
  await harness.useCard("pm_card_chargeCustomerFail");
  await harness.pass(31);
  await harness.reconcile();
  let tries = 0;
  const lost = async () => {
    tries += 1;
    return silent();
  };
  const down = { ...harness.app, payments: { ...harness.payments, payInvoice: lost } };
  const first = await retryPayment(down, harness.accountId);
  const renewal = (await harness.rows()).orders.find(({ id }) => id !== paidId);
  expect(first).toEqual({ ok: false, refusal: { reason: "payment-unconfirmed", orderId: renewal?.id } });
  expect(await retryPayment(down, harness.accountId)).toEqual(first);
  expect(tries).toBe(1);
  await harness.reconcile();
  expect((await retryPayment(down, harness.accountId)).ok).toBe(false);
  expect(tries).toBe(1);
  await harness.reconcile({ ...harness.app, wallClock: () => Date.now() + 31_000 });
  expect(await retryPayment(harness.app, harness.accountId)).toMatchObject({ ok: true, value: { state: "failed" } });
});

test("a confirmation that is answered while another one's charge is written leads to that charge's order", async () => {
  const { harness, confirm } = await changer();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let charged = () => {};
  const hasCharged = new Promise<void>((resolve) => (charged = resolve));
  // The winner's charge is made and linked to the order; its result hasn't been read so far.
  const winner = confirm({
    async fetchBilling(...request) {
      charged();
      await held;
      return harness.payments.withOwnDeadline().fetchBilling(...request);
    },
  });
  let requestCount = 0;
  const loser = await confirm({
    // Stripe: the key is in use.
    changePlan: silent,
    async fetchBilling(...wanted) {
      requestCount += 1;
      const billing = await harness.payments.withOwnDeadline().fetchBilling(...wanted);
      // The first read happened before the charge, and is written after it.
      if (requestCount > 1 || !billing.ok) return billing;
      await hasCharged;
      const invoices = billing.value.invoices.filter(({ billingReason }) => billingReason === "new-plan");
      const payments = billing.value.payments.slice(-1);
      return { ok: true, value: { ...billing.value, invoices, payments } };
    },
  });
  goOn();
  for (const outcome of [loser, await winner]) {
    if (!outcome.ok || outcome.value.kind !== "begun") throw new Error("Not begun");
    expect(paymentPath(outcome.value.order)).toBe(`/payment/success?order=${outcome.value.order.id}`);
  }
  expect((await harness.rows()).orders.map(({ state }) => state)).toEqual(["paid", "paid"]);
});

test("a refused confirmation cancels a draft, and not an order that another confirmation has charged meanwhile", async () => {
  const { harness, confirm } = await changer();
  const charged = await confirm({
    // Another click's charge is known immediately after this one's refusal.
    async changePlan(input) {
      const changed = await harness.payments.withOwnDeadline().changePlan(input);
      const end = { to: "cancelled", from: ["draft"], failure: null } as const;
      await env.DB.prepare("update orders set state = 'pending' where id = ?").bind(input.orderId).run();
      await harness.app.db.batch(changeOrderState(harness.app.db, idOf("ord", input.orderId), end, Date.now()));
      return changed.ok ? refused({ reason: "provider-refused" as const, code: "lock" }) : changed;
    },
  });
  expect(charged).toMatchObject({ ok: true, value: { order: { state: "paid" } } });
  const other = await changer();
  const code = "resource_missing";
  const gone = await other.confirm({ changePlan: async () => refused({ reason: "provider-refused" as const, code }) });
  expect(gone).toEqual({ ok: false, refusal: { reason: "provider-refused", code } });
  expect((await other.harness.rows()).orders.map(({ state }) => state).toSorted()).toEqual(["cancelled", "paid"]);
});
