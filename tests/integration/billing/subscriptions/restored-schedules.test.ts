import { describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { hourMs } from "#app/core/time/time.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { killedAtCall } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";
import { reprice } from "#tests/support/billing/reprice.ts";

/** Confirms what the page offers for this change. */
async function change(harness: BillingHarness, planId: string, interval: Interval, app: App = harness.app) {
  const running = await findRunningSubscription(app.db, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const offer = await offerChange(
    harness.app,
    { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 },
    { planId, interval },
  );
  if (!("quote" in offer)) return offer;
  return startChange(app, await harness.account(), { planId, interval, quote: offer.quote });
}

/**
 * The larger plan by the month, with the smaller one scheduled for the next one, and a card that will be declined.
 */
async function aPlanner() {
  const harness = await openBillingHarness();
  await harness.buy(large.id);
  await harness.reconcile();
  await change(harness, small.id, "month");
  await harness.useCard("pm_card_chargeCustomerFail");
  return harness;
}

/** What is scheduled as the page shows it, and what is at the provider. */
async function planned(harness: BillingHarness) {
  const [row] = (await harness.rows()).subscriptions;
  const { data: schedules } = await harness.stripe.subscriptionSchedules.list({ limit: 100 });
  const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
  return {
    shown: row?.pending_plan_id ?? null,
    scheduled: schedules.filter(({ status }) => status === "active").length,
    noted: subscription?.metadata.planned ?? null,
  };
}

/** What the subscription's metadata says while the smaller plan is set aside for an order. */
async function noteOf({ stripe }: BillingHarness, orderId: unknown) {
  const [price] = (await stripe.prices.list({ lookup_keys: [priceKey(small.id, "month")] })).data;
  return `${small.id}.month.${price?.id}.${minor(small)}.${String(orderId)}`;
}

const isPlanned = { shown: small.id, scheduled: 1, noted: null };
const nothing = { shown: null, scheduled: 0, noted: null };
const kinds = async (harness: BillingHarness) => (await harness.rows()).orders.map(({ kind, state }) => [kind, state]);
const templates = async (harness: BillingHarness) => (await harness.rows()).emails.map(({ template }) => template);

describe("a scheduled change while an immediate one is being paid", () => {
  test("stays scheduled while that is declined, and is scheduled as before when it is cancelled, without repeated emails", async () => {
    const harness = await aPlanner();
    expect(await planned(harness)).toEqual(isPlanned);
    await change(harness, large.id, "year");
    expect(await kinds(harness)).toContainEqual(["change", "failed"]);
    const aside = await planned(harness);
    expect([aside.shown, aside.scheduled]).toEqual([small.id, 0]);
    expect(await runSubscriptionAction(harness.app, await harness.account(), "undo-change")).toEqual({
      ok: true,
      value: "change-given-up",
    });
    expect(await planned(harness)).toEqual(isPlanned);
    await harness.reconcile();
    expect(await planned(harness)).toEqual(isPlanned);
    expect((await templates(harness)).filter((template) => template === "downgrade-planned")).toHaveLength(1);
    await harness.useCard("pm_card_visa");
    await harness.pass(31.5);
    await harness.reconcile();
    expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: small.id, amount_minor: minor(small) }]);
    expect((await kinds(harness)).filter(([kind]) => kind === "renewal")).toEqual([["renewal", "paid"]]);
  });

  test("is shown at the price that was confirmed, and dropped and reported if Stripe doesn't sell that any more", async () => {
    const harness = await aPlanner();
    await change(harness, large.id, "year");
    await reprice(harness.stripe, { planId: small.id }, { unit_amount: minor(small) + 300 });
    await harness.reconcile();
    expect((await harness.rows()).subscriptions).toMatchObject([{ pending_minor: minor(small) }]);
    await runSubscriptionAction(harness.app, await harness.account(), "undo-change");
    expect(await planned(harness)).toEqual(nothing);
    expect(harness.reports).toHaveLength(1);
    await harness.useCard("pm_card_visa");
    await harness.pass(31.5);
    await harness.reconcile();
    expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: large.id, amount_minor: minor(large) }]);
  });

  test("is shown as scheduled by a sync after another one has restored it", async () => {
    const harness = await aPlanner();
    await change(harness, large.id, "year");
    const { payments } = harness.app;
    if (!payments) throw new Error("There is no payment provider");
    const late = {
      ...payments,
      restoreDeferredChange: async (aside: Parameters<typeof payments.restoreDeferredChange>[0]) => {
        // By the other sync, which read earlier: what it writes counts less.
        await payments.restoreDeferredChange(aside);
        return payments.restoreDeferredChange(aside);
      },
    };
    const app = { ...harness.app, payments: late };
    expect(await runSubscriptionAction(app, await harness.account(), "undo-change")).toMatchObject({ ok: true });
    expect(await planned(harness)).toEqual(isPlanned);
  });

  test("is restored automatically when the immediate change isn't paid within its day", async () => {
    const harness = await aPlanner();
    await change(harness, large.id, "year");
    await harness.pass(1);
    await sweepOrders(harness.app);
    expect(await kinds(harness)).toContainEqual(["change", "cancelled"]);
    expect(await planned(harness)).toEqual(isPlanned);
  });

  test("is dropped once the immediate change is paid, immediately or with another card", async () => {
    const harness = await aPlanner();
    await change(harness, large.id, "year");
    await harness.useCard("pm_card_visa");
    const [due] = (await harness.stripe.invoices.list({ status: "open" })).data;
    await harness.stripe.invoices.pay(String(due?.id));
    await harness.reconcile();
    expect(await planned(harness)).toEqual(nothing);
    expect((await harness.rows()).subscriptions).toMatchObject([{ plan_id: large.id, interval: "year" }]);
    const other = await aPlanner();
    await other.useCard("pm_card_visa");
    await change(other, large.id, "year");
    expect(await planned(other)).toEqual(nothing);
    await other.reconcile();
    expect(await planned(other)).toEqual(nothing);
  });

  test("is replaced by any later choice: another change, another scheduled plan, no change, a cancellation", async () => {
    const again = await aPlanner();
    await change(again, large.id, "year");
    await again.useCard("pm_card_visa");
    await again.pass(0.1);
    await change(again, large.id, "year");
    expect(await planned(again)).toEqual(nothing);

    const undone = await aPlanner();
    await change(undone, large.id, "year");
    const account = await undone.account();
    await runSubscriptionAction(undone.app, account, "undo-change");
    expect(await runSubscriptionAction(undone.app, account, "undo-change")).toEqual({
      ok: true,
      value: "change-undone",
    });
    await undone.reconcile();
    expect(await planned(undone)).toEqual(nothing);

    const ended = await aPlanner();
    await change(ended, large.id, "year");
    await runSubscriptionAction(ended.app, await ended.account(), "cancel");
    await ended.reconcile();
    expect(await planned(ended)).toEqual(nothing);
    expect((await ended.rows()).subscriptions[0]?.cancels_at).not.toBeNull();
    expect([...again.reports, ...undone.reports, ...ended.reports]).toEqual([]);
  });

  test("prevents an immediate change in its last day, since it might begin before that is paid", async () => {
    const harness = await aPlanner();
    await harness.useCard("pm_card_visa");
    const [row] = (await harness.rows()).subscriptions;
    const beginsAt = Number(row?.pending_at);
    await harness.pass((beginsAt - harness.app.clock() - 23 * hourMs) / (24 * hourMs));
    expect(await change(harness, large.id, "year")).toEqual({
      kind: "refused",
      refusal: { reason: "change-begins", beginsAt },
    });
    expect(await planned(harness)).toEqual(isPlanned);
  });

  test("is dropped and reported if the provider doesn't accept it again, or the plan is no longer sold", async () => {
    const harness = await aPlanner();
    await change(harness, large.id, "year");
    const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
    // It is ended in the dashboard meanwhile.
    await harness.stripe.subscriptions.update(String(subscription?.id), { cancel_at_period_end: true });
    await runSubscriptionAction(harness.app, await harness.account(), "undo-change");
    await harness.reconcile();
    expect(await planned(harness)).toEqual(nothing);
    expect(harness.reports).toHaveLength(1);
    const gone = await aPlanner();
    await change(gone, large.id, "year");
    const plans = gone.app.product.plans.filter(({ id }) => id !== small.id);
    await runSubscriptionAction(
      { ...gone.app, product: { ...gone.app.product, plans } },
      await gone.account(),
      "undo-change",
    );
    await gone.reconcile();
    expect(await planned(gone)).toEqual(nothing);
  });

  test.each([1, 2, 3, 4])(
    "is still scheduled when the Worker is killed at call %i of a declined change and the customer doesn't come back",
    async (nth) => {
      const harness = await aPlanner();
      const { payments } = killedAtCall(harness.payments, nth, "before");
      await change(harness, large.id, "year", { ...harness.app, payments }).catch(() => undefined);
      await harness.pass(1.1);
      await sweepOrders(harness.app);
      expect(await planned(harness)).toEqual(isPlanned);
      expect(harness.reports).toEqual([]);
    },
  );

  test.each([
    ["noted and not yet let go", { released: false }],
    ["noted and let go, and nothing charged so far", { released: true }],
  ])("is still scheduled when the Worker was killed while it was %s", async (_what, { released }) => {
    const harness = await aPlanner();
    // As far as the Worker came: its order is stored, and some of the provider's calls were made.
    await change(harness, large.id, "year", {
      ...harness.app,
      payments: { ...harness.payments, changePlan: () => Promise.reject(new Error("killed")) },
    }).catch(() => undefined);
    const order = (await harness.rows()).orders.find(({ kind }) => kind === "change");
    expect(order).toMatchObject({ state: "draft" });
    const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
    await harness.stripe.subscriptions.update(String(subscription?.id), {
      metadata: { planned: await noteOf(harness, order?.id) },
    });
    if (released) await harness.stripe.subscriptionSchedules.release(String(subscription?.schedule));
    // While it is open whether the change is charged, a sync changes nothing.
    await harness.reconcile();
    expect((await planned(harness)).noted).not.toBeNull();
    expect((await planned(harness)).shown).toBe(small.id);
    await harness.pass(1.1);
    await sweepOrders(harness.app);
    await harness.reconcile();
    expect(await planned(harness)).toEqual(isPlanned);
  });

  test("is still scheduled, once, when the Worker was killed while it was restored", async () => {
    const harness = await aPlanner();
    await change(harness, large.id, "year");
    const { orders } = await harness.rows();
    await runSubscriptionAction(harness.app, await harness.account(), "undo-change");
    const [subscription] = (await harness.stripe.subscriptions.list({ limit: 1 })).data;
    const note = await noteOf(harness, orders.find(({ kind }) => kind === "change")?.id);
    await harness.stripe.subscriptions.update(String(subscription?.id), { metadata: { planned: note } });
    await harness.reconcile();
    expect(await planned(harness)).toEqual(isPlanned);
  });
});
