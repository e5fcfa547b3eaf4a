import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { ShownPrice } from "#app/integrations/stripe/prices.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { change as changePlan } from "#tests/support/billing/contracts.ts";
import { reprice } from "#tests/support/billing/reprice.ts";
import { killedAt } from "#tests/support/database/killed-worker.ts";

let harness: BillingHarness;

beforeEach(async () => {
  harness = await openBillingHarness();
});

/** The site without its comparison: it sends customers to pay whatever Stripe's price is. */
function careless(changed: Partial<ShownPrice>): App {
  const { payments } = harness;
  const priced = <Input extends { price: ShownPrice }>(input: Input) => ({
    ...input,
    price: { ...input.price, ...changed },
  });
  return {
    ...harness.app,
    payments: {
      ...payments,
      openCheckout: (input) => payments.openCheckout(priced(input)),
      changePlan: (input) => payments.changePlan(priced(input)),
    },
  };
}

/** Pays at the checkout of a price that isn't the one that was shown. */
async function pay(app: App) {
  const begun = await harness.choose(small.id, "month", app);
  if (!begun.ok) throw new Error(begun.refusal.reason);
  await harness.leaveCheckout(begun.value.url, "paid");
  return begun.value.orderId;
}

const less = minor(small) - 100;
const more = minor(small) + 100;
const templates = async () => (await harness.rows()).emails.map(({ template }) => template);
const refunds = async () =>
  (await harness.stripe.refunds.list({ limit: 100 })).data.map(({ amount, metadata }) => [amount, metadata?.purpose]);
const atStripe = async () =>
  (await harness.stripe.subscriptions.list({ status: "all" })).data.map(({ status }) => status);

describe("a payment of the price of an earlier config", () => {
  test("keeps the plan at that price, and is told by the receipt, the history and one report", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: less });
    const order = await pay(careless({ amountMinor: less }));
    for (let times = 0; times < 3; times += 1) await harness.reconcile();
    const { orders, subscriptions, historyEvents } = await harness.rows();
    expect(orders).toMatchObject([{ state: "paid", failure: "mismatch-kept", amount_minor: less, number_in_year: 1 }]);
    expect(subscriptions).toMatchObject([{ state: "active", plan_id: small.id, amount_minor: less }]);
    expect(await templates()).toEqual(["receipt"]);
    expect(historyEvents).toContainEqual(expect.objectContaining({ what: "mismatch", amount_minor: minor(small) }));
    expect(harness.reports).toEqual([
      expect.stringMatching(
        new RegExp(`^Order ${order} asked for ${minor(small)} .* ${less} .* is kept at that price$`),
      ),
    ]);
    expect(await refunds()).toEqual([]);
  });

  test("renews at that price", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: less });
    await pay(careless({ amountMinor: less }));
    await harness.pass(32);
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([
      { failure: "mismatch-kept" },
      { kind: "renewal", state: "paid", failure: null, amount_minor: less },
    ]);
  });
});

describe("a payment of anything else", () => {
  test.each<[string, object, Partial<ShownPrice>, number]>([
    ["more than was asked", { unit_amount: more }, { amountMinor: more }, more],
    ["a price that no config had", { unit_amount: less, metadata: {} }, { amountMinor: less }, less],
    ["another plan's price", { unit_amount: less, metadata: { plan: large.id } }, { amountMinor: less }, less],
    ["another interval", { recurring: { interval: "year" } }, { interval: "year" as Interval }, minor(small)],
  ])("(%s) is refunded once, its subscription ends, and the customer can buy again", async (_, changed, at, paid) => {
    await reprice(harness.stripe, { planId: small.id }, changed);
    await pay(careless(at));
    for (let times = 0; times < 3; times += 1) await harness.reconcile();
    expect(await refunds()).toEqual([[paid, "mismatch"]]);
    expect(await atStripe()).toEqual(["canceled"]);
    const { orders, subscriptions, historyEvents } = await harness.rows();
    expect(orders).toMatchObject([
      { state: "refunded", failure: "mismatch-refunded", amount_minor: paid, refunded_minor: paid, number_in_year: 1 },
    ]);
    expect(subscriptions.filter(({ state }) => state !== "ended")).toEqual([]);
    expect(await templates()).toEqual(["credit-note", "payment-mismatch"]);
    // Both documents reach their buyer, with their numbers.
    await harness.app.settled();
    const [order] = orders;
    const number = orderNumber({ numberYear: Number(order?.["number_year"]), numberInYear: 1 });
    for (const document of [`Invoice ${number}`, `Credit note CN-${number}`]) {
      expect(harness.app.emails.filter(({ text }) => text.includes(document))).toHaveLength(1);
    }
    expect(historyEvents.map(({ what }) => what)).toEqual(expect.arrayContaining(["paid", "mismatch", "refund"]));
    expect(harness.reports).toEqual([expect.stringContaining("it is to be refunded")]);
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small), metadata: { plan: small.id } });
    await harness.buy();
    await harness.reconcile();
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ planId: small.id });
  });

  test("is refunded once by syncs at the same time", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: more });
    await pay(careless({ amountMinor: more }));
    await Promise.all(Array.from({ length: 4 }, () => harness.reconcile()));
    expect(await refunds()).toEqual([[more, "mismatch"]]);
    expect((await harness.rows()).orders).toMatchObject([{ state: "refunded" }]);
    expect(await templates()).toEqual(["credit-note", "payment-mismatch"]);
  });

  test("is refunded once, whenever the Worker is killed", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: more });
    await pay(careless({ amountMinor: more }));
    const points = (["call", "batch"] as const).flatMap((kind) =>
      Array.from({ length: kind === "call" ? 6 : 3 }, (_, index) =>
        (["before", "after"] as const).map((when) => ({ kind, nth: index + 1, when })),
      ).flat(),
    );
    for (const point of points) {
      const parts = killedAt(point, { db: harness.app.db, payments: harness.payments.withOwnDeadline() });
      await harness.reconcile({ ...harness.app, ...parts }).catch(() => undefined);
    }
    await harness.reconcile();
    expect(await refunds()).toEqual([[more, "mismatch"]]);
    expect(await atStripe()).toEqual(["canceled"]);
    expect((await harness.rows()).orders).toMatchObject([{ state: "refunded", failure: "mismatch-refunded" }]);
    expect(await templates()).toEqual(["credit-note", "payment-mismatch"]);
  });

  test("that the team refunds in part during the sync is refunded to the rest, without a report of it", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: more });
    await pay(careless({ amountMinor: more }));
    const { payments } = harness;
    const [{ id: order } = { id: "" }] = (await harness.rows()).orders;
    const during: typeof payments = {
      ...payments,
      refundMismatch: async (input) => {
        await harness.control("refund", { order, amountMinor: 100 });
        return payments.refundMismatch(input);
      },
    };
    await harness.reconcile({ ...harness.app, payments: during });
    await harness.reconcile();
    expect(await refunds()).toEqual(expect.arrayContaining([[more - 100, "mismatch"]]));
    expect((await harness.rows()).orders).toMatchObject([{ state: "refunded", refunded_minor: more }]);
    expect(harness.reports).toEqual([expect.stringContaining("it is to be refunded")]);
  });

  test("that Stripe won't refund ends the plan all the same, and is refunded once Stripe does", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: more });
    await pay(careless({ amountMinor: more }));
    const { payments } = harness;
    const refusing: App = {
      ...harness.app,
      payments: {
        ...payments,
        refundMismatch: async () => ({ ok: false, refusal: { reason: "provider-refused", code: "charge_disputed" } }),
      },
    };
    for (let times = 0; times < 2; times += 1) await harness.reconcile(refusing);
    expect(await atStripe()).toEqual(["canceled"]);
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid", failure: "mismatch-refunded" }]);
    expect(await templates()).toEqual(["payment-mismatch"]);
    expect(harness.reports).toEqual([
      expect.stringContaining("it is to be refunded"),
      expect.stringContaining("was not refunded from"),
    ]);
    await harness.reconcile();
    expect(await refunds()).toEqual([[more, "mismatch"]]);
    expect((await harness.rows()).orders).toMatchObject([{ state: "refunded", failure: "mismatch-refunded" }]);
  });
});

describe("a change of plan", () => {
  const change = async (changed: Partial<ShownPrice>, provider = harness.payments) => {
    await harness.buy();
    await harness.reconcile();
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("There is no plan");
    const facts = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
    const to = { planId: large.id, interval: "month" } as const;
    const offer = await offerChange(harness.app, facts, to);
    if (offer.kind !== "now") throw new Error(offer.kind);
    const { payments: uncompared, ...app } = careless(changed);
    if (!uncompared) throw new Error("There is no provider");
    const payments = { ...provider, changePlan: uncompared.changePlan };
    // The price changes once the quote was compared.
    const racing: App = {
      ...app,
      payments: {
        ...payments,
        async changePlan(input) {
          await reprice(harness.stripe, { planId: large.id }, { unit_amount: changed.amountMinor ?? 0 });
          return payments.changePlan(input);
        },
      },
    };
    return startChange(racing, await harness.account(), { ...to, quote: offer.quote });
  };

  test("that was charged less than its quote is kept", async () => {
    expect(await change({ amountMinor: minor(large) - 200 })).toMatchObject({ ok: true });
    expect((await harness.rows()).orders).toMatchObject([
      { failure: null },
      { state: "paid", failure: "mismatch-kept" },
    ]);
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ planId: large.id });
  });

  test("that was charged more is refunded, with what is left of the plan, which ends", async () => {
    expect(await change({ amountMinor: minor(large) + 200 })).toMatchObject({ ok: true });
    await harness.reconcile();
    const { orders } = await harness.rows();
    expect(orders).toMatchObject([{ failure: null }, { state: "refunded", failure: "mismatch-refunded" }]);
    expect(orders[0]?.refunded_minor).toBe(minor(small));
    expect(await atStripe()).toEqual(["canceled"]);
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toBeNull();
  });

  test("whose refund Stripe refuses ends with the period, and both are refunded once an operator has refunded it", async () => {
    const { payments } = harness;
    const refused = { ok: false, refusal: { reason: "provider-refused", code: "charge_disputed" } } as const;
    const refusing = { ...payments, refundMismatch: async () => refused };
    await harness.app.settled();
    harness.app.emails.length = 0;
    await change({ amountMinor: minor(large) + 200 }, refusing);
    for (let times = 0; times < 2; times += 1) await harness.reconcile({ ...harness.app, payments: refusing });
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({
      state: "active",
      cancelsAt: expect.any(Number),
    });
    await harness.app.settled();
    const { cancelsAt } = (await findRunningSubscription(harness.app.db, harness.accountId)) ?? {};
    // One email says it all: the owner didn't cancel, and the plan runs until then.
    const told = (await harness.rows()).emails.map(({ template }) => template);
    expect([told.includes("payment-mismatch"), told.includes("plan-cancelled")]).toEqual([true, false]);
    const day = formatDay(cancelsAt ?? 0, await harness.account());
    expect(
      harness.app.emails.filter(({ subject, text }) => /refund/i.test(subject) && text.includes(day)),
    ).toHaveLength(1);
    await harness.pass(3);
    const [charge] = (await harness.stripe.charges.list()).data;
    await harness.stripe.refunds.create({ charge: String(charge?.id) });
    await harness.reconcile();
    expect(await atStripe()).toEqual(["canceled"]);
    const { orders } = await harness.rows();
    expect(orders.map(({ state }) => state)).toEqual(["partially-refunded", "refunded"]);
    expect(orders[0]?.refunded_minor).toBeGreaterThan(minor(small) / 2);
  });

  test("that is paid while a sync reads is granted: it read the plan before the change, and the invoice after it", async () => {
    await harness.buy();
    await harness.reconcile();
    const { subscriptions } = await harness.record();
    const { payments } = harness;
    const readHalfway = (provider: typeof payments): typeof payments => ({
      ...provider,
      async fetchBilling(...wanted) {
        const fetched = await provider.fetchBilling(...wanted);
        return fetched.ok ? { ...fetched, value: { ...fetched.value, subscriptions } } : fetched;
      },
      withOwnDeadline: () => readHalfway(provider.withOwnDeadline()),
    });
    const halfway = { ...harness.app, payments: readHalfway(payments) };
    expect(await changePlan(harness, { planId: large.id, interval: "month" }, halfway)).toMatchObject({ ok: true });
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([{ failure: null }, { state: "paid", failure: null }]);
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ planId: large.id });
    expect([await refunds(), harness.reports]).toEqual([[], []]);
  });

  test("of a subscriber with a discount is paid as quoted", async () => {
    await harness.buy();
    await harness.reconcile();
    const [subscription] = (await harness.stripe.subscriptions.list()).data;
    const coupon = await harness.stripe.coupons.create({ percent_off: 50, duration: "forever" });
    await harness.stripe.subscriptions.update(String(subscription?.id), { discounts: [{ coupon: coupon.id }] });
    await harness.reconcile();
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("There is no plan");
    const facts = { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 };
    const to = { planId: large.id, interval: "year" } as const;
    const offer = await offerChange(harness.app, facts, to);
    if (offer.kind !== "now") throw new Error(offer.kind);
    expect(offer.charge.discountMinor).toBeGreaterThan(0);
    expect(await startChange(harness.app, await harness.account(), { ...to, quote: offer.quote })).toMatchObject({
      ok: true,
    });
    expect((await harness.rows()).orders).toMatchObject([{ failure: null }, { state: "paid", failure: null }]);
  });
});
