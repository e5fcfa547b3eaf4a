import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { refused } from "#app/core/result.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { nextCharge } from "#app/modules/billing/subscriptions/rules.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { compareSoldPrices } from "#app/modules/billing/subscriptions/commands/compare-prices.server.ts";
import {
  addUnsoldPrice,
  listUnsoldPrices,
  readUnsoldPrices,
} from "#app/modules/catalogue/unsold-prices.queries.server.ts";
import { product } from "#app/product/config.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { reprice } from "#tests/support/billing/reprice.ts";

const refusal = { reason: "price-differs" };
const notSold = { ok: false, refusal };
let harness: BillingHarness;

beforeEach(async () => {
  harness = await openBillingHarness();
});

/** The config with another monthly price of a plan. */
function repriced(config: App["product"], planId: string, amountMinor: number): App["product"] {
  const plans = config.plans.map((plan) =>
    plan.id === planId && plan.prices ? { ...plan, prices: { ...plan.prices, month: { amountMinor } } } : plan,
  );
  return { ...config, plans };
}

const charges = async () => (await harness.stripe.charges.list({ limit: 100 })).data.length;
const sessions = async () => (await harness.stripe.checkout.sessions.list({ limit: 100 })).data.length;

describe("a purchase", () => {
  test.each([
    ["a higher amount", { unit_amount: minor(small) + 100 }],
    ["a lower amount", { unit_amount: minor(small) - 100 }],
    ["another currency", { currency: "chf" }],
    ["another interval", { recurring: { interval: "week" } }],
    ["three intervals at once", { recurring: { interval: "month", interval_count: 3 } }],
    ["tax on top", { tax_behavior: "exclusive" }],
    ["no such price", { active: false }],
  ] as const)("isn't begun if Stripe has %s, and the plan is bought once the two are the same", async (_, changed) => {
    const { id } = await reprice(harness.stripe, { planId: small.id }, changed);
    expect(await harness.choose()).toEqual(notSold);
    expect(await sessions()).toBe(0);
    expect((await harness.rows()).orders).toMatchObject([{ state: "cancelled" }]);
    await harness.stripe.prices.update(id, { active: true });
    await reprice(harness.stripe, { planId: small.id }, { currency: product.currency, unit_amount: minor(small) });
    expect(await harness.choose()).toMatchObject({ ok: true });
  });

  test("is reported to the team once a day for each price, however many customers press the button", async () => {
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) + 100 });
    await reprice(harness.stripe, { planId: large.id }, { unit_amount: minor(large) + 100 });
    for (const planId of [small.id, small.id, large.id, small.id])
      expect(await harness.choose(planId)).toEqual(notSold);
    const reported = (planId: string) => expect.stringContaining(`its price ${planId}_month is `);
    expect(harness.reports).toEqual([reported(small.id), reported(large.id)]);
    const tomorrow = { ...harness.app, clock: () => harness.app.clock() + dayMs };
    expect(await harness.choose(small.id, "month", tomorrow)).toEqual(notSold);
    expect(harness.reports).toHaveLength(3);
  });

  test("goes on at the price that was shown, if Stripe's changes while the checkout is open", async () => {
    const begun = await harness.choose();
    if (!begun.ok) throw new Error(begun.refusal.reason);
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) + 100 });
    await harness.leaveCheckout(begun.value.url, "paid");
    await harness.reconcile();
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid", amount_minor: minor(small), failure: null }]);
  });
});

describe("the cron job", () => {
  const unsold = async () => [...readUnsoldPrices(await listUnsoldPrices(harness.app.db))].toSorted();
  const compare = (minutes: number) =>
    compareSoldPrices({ ...harness.app, clock: () => harness.app.clock() + minutes * minuteMs });

  test("finds prices that differ within an hour, before anybody chooses them, and that they are right again within a minute", async () => {
    await compare(0);
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) + 100 });
    await reprice(harness.stripe, { planId: large.id }, { unit_amount: minor(large) + 100 });
    expect(await unsold()).toEqual([]);
    await compare(60);
    expect(await unsold()).toEqual([`${large.id}_month`, `${small.id}_month`].toSorted());
    expect(harness.reports).toHaveLength(2);
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) });
    await compare(61);
    expect(await unsold()).toEqual([`${large.id}_month`]);
    expect(harness.reports).toHaveLength(2);
  });

  test("asks Stripe once an hour while all prices are right", async () => {
    let asked = 0;
    const { payments } = harness;
    const comparePrices: typeof payments.comparePrices = (shown) => {
      asked += 1;
      return payments.comparePrices(shown);
    };
    const app = { ...harness.app, payments: { ...payments, comparePrices } };
    const from = Math.ceil(app.clock() / hourMs) * hourMs;
    for (const minute of [0, 1, 59, 60, 61]) await compareSoldPrices({ ...app, clock: () => from + minute * minuteMs });
    expect(asked).toBe(2);
  });

  test("forgets the price of a plan that the config no longer has", async () => {
    await addUnsoldPrice(harness.app.db, "gone_month", 0);
    await compare(0);
    expect(await unsold()).toEqual([]);
  });

  test("leaves everything as it is while Stripe doesn't answer", async () => {
    await addUnsoldPrice(harness.app.db, `${small.id}_month`, 0);
    const comparePrices = () => Promise.resolve(refused({ reason: "provider-unreachable" as const, isFinal: false }));
    await compareSoldPrices({ ...harness.app, payments: { ...harness.payments, comparePrices } });
    expect(await unsold()).toEqual([`${small.id}_month`]);
  });
});

describe("a change of plan", () => {
  const before = async (planId: string) => {
    await harness.buy(planId);
    await harness.reconcile();
    return findRunningSubscription(harness.app.db, harness.accountId);
  };
  const to = { planId: large.id, interval: "month" } as const;
  const offer = async () => {
    const running = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!running) throw new Error("There is no plan");
    return offerChange(
      harness.app,
      { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 },
      to,
    );
  };

  test("that starts now isn't offered at another price than the pages show", async () => {
    await before(small.id);
    await reprice(harness.stripe, { planId: large.id }, { unit_amount: minor(large) - 100 });
    expect(await offer()).toEqual({ kind: "refused", refusal });
    expect(harness.reports).toHaveLength(1);
  });

  test("that was quoted isn't charged once Stripe's price has changed, and the plan stays", async () => {
    await before(small.id);
    const quoted = await offer();
    if (quoted.kind !== "now") throw new Error(quoted.kind);
    await reprice(harness.stripe, { planId: large.id }, { unit_amount: minor(large) + 100 });
    const confirm = { ...to, quote: quoted.quote };
    expect(await startChange(harness.app, await harness.account(), confirm)).toEqual(notSold);
    expect(await charges()).toBe(1);
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ planId: small.id });
    expect((await harness.rows()).orders).toHaveLength(1);
  });

  test("isn't charged either if Stripe's price changes between its preview and its charge", async () => {
    await before(small.id);
    const quoted = await offer();
    if (quoted.kind !== "now") throw new Error(quoted.kind);
    const { payments } = harness;
    const changing: typeof payments = {
      ...payments,
      async changePlan(input) {
        await reprice(harness.stripe, { planId: large.id }, { unit_amount: minor(large) + 100 });
        return payments.changePlan(input);
      },
    };
    const own = { ...harness.app, payments: changing };
    expect(await startChange(own, await harness.account(), { ...to, quote: quoted.quote })).toEqual(notSold);
    expect(await charges()).toBe(1);
    expect((await harness.rows()).orders).toMatchObject([{ kind: "change", state: "cancelled" }, { state: "paid" }]);
  });

  test("isn't charged at another price than quoted after its first charge had no answer", async () => {
    await before(small.id);
    const quoted = await offer();
    if (quoted.kind !== "now") throw new Error(quoted.kind);
    const killed = { ...harness.payments, changePlan: () => Promise.reject(new Error("killed")) };
    const confirm = { ...to, quote: quoted.quote };
    const confirmIn = async (app: App) => startChange(app, await harness.account(), confirm);
    await confirmIn({ ...harness.app, payments: killed }).catch(() => undefined);
    expect((await harness.rows()).orders).toMatchObject([{ kind: "change", state: "draft" }, { state: "paid" }]);
    const { product: sold } = harness.app;
    const dearer = repriced(sold, large.id, minor(large) + 300);
    await reprice(harness.stripe, { planId: large.id }, { unit_amount: minor(large) + 300 });
    const moved = { ok: false, refusal: { reason: "quote-moved" } };
    expect(await confirmIn({ ...harness.app, product: dearer })).toEqual(moved);
    expect(await charges()).toBe(1);
    expect((await harness.rows()).orders).toMatchObject([{ kind: "change", state: "cancelled" }, { state: "paid" }]);
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ planId: small.id });
  });

  test("for the next period isn't scheduled", async () => {
    const running = await before(large.id);
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) + 100 });
    const quoted = { amountMinor: minor(small), currency: running?.currency ?? "", quotedAt: harness.app.clock() };
    const quote = await writeQuote(harness.app.pepper, harness.accountId, { ...quoted, prorationAt: null });
    const confirm = { planId: small.id, interval: "month", quote } as const;
    expect(await startChange(harness.app, await harness.account(), confirm)).toEqual(notSold);
    expect((await harness.stripe.subscriptionSchedules.list({ limit: 10 })).data).toEqual([]);
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ pendingPlanId: null });
  });

  test("for the next period is shown and charged as it was scheduled, though the config has another price since", async () => {
    const running = await before(large.id);
    const quoted = { amountMinor: minor(small), currency: running?.currency ?? "", quotedAt: harness.app.clock() };
    const quote = await writeQuote(harness.app.pepper, harness.accountId, { ...quoted, prorationAt: null });
    const confirm = { planId: small.id, interval: "month", quote } as const;
    expect(await startChange(harness.app, await harness.account(), confirm)).toMatchObject({ ok: true });
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) + 100 });
    await harness.reconcile();
    const planned = await findRunningSubscription(harness.app.db, harness.accountId);
    if (!planned) throw new Error("There is no plan");
    expect(nextCharge(planned, () => minor(small) + 100, 0)).toMatchObject({ amountMinor: minor(small) });
    await harness.pass(32);
    await harness.reconcile();
    const renewal = (await harness.rows()).orders.find(({ kind }) => kind === "renewal");
    expect(renewal).toMatchObject({ plan_id: small.id, amount_minor: minor(small) });
    expect(await findRunningSubscription(harness.app.db, harness.accountId)).toMatchObject({ pendingMinor: null });
  });
});
