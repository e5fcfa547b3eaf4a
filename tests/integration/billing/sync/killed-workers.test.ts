import { describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { offerChange } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { changeCancellation } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { counting, killedAt, type KillPoint } from "#tests/support/database/killed-worker.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/**
 * A Worker is killed before or after any batch it writes and any call it makes. Afterwards either nothing is half done,
 * or the next click or cron run finishes it: one order, one charge, one plan, one email of a kind.
 */
type Command = (harness: BillingHarness, app: App) => Promise<unknown>;
type Scene = {
  begin: (harness: BillingHarness) => Promise<unknown>;
  command: Command;
  /** What the user does next, after a page that failed; absent if no user is waiting. */
  again?: Command;
  expectEnd: (harness: BillingHarness, point: string) => Promise<void>;
};

/** The cron job, some minutes later, as often as a second attempt needs. */
async function runCronThrice(harness: BillingHarness) {
  for (const inMs of [minuteMs, 10 * minuteMs, 30 * minuteMs]) {
    const at = harness.app.clock() + inMs;
    await sweepOrders({ ...harness.app, clock: () => at });
  }
  await harness.app.settled();
}

/** Every point at which the command can be killed, found by letting it run once. */
async function killPointsOf(scene: Scene): Promise<KillPoint[]> {
  const harness = await openBillingHarness();
  await scene.begin(harness);
  const alive = counting({ db: harness.app.db, payments: harness.payments });
  await scene.command(harness, { ...harness.app, ...alive.app });
  return alive.killPoints();
}

const paidPlan = async (harness: BillingHarness) => {
  await harness.buy();
  await harness.reconcile();
  await harness.app.settled();
};

/** The quote that the page shows for a change to the large plan, which begins immediately. */
const quotes = new WeakMap<BillingHarness, string>();
const upgrade: Command = async (harness, app) => {
  const running = await findRunningSubscription(harness.app.db, harness.accountId);
  if (!running) throw new Error("Nothing runs");
  const input = { planId: large.id, interval: "month" } as const;
  if (!quotes.has(harness)) {
    const offer = await offerChange(
      harness.app,
      { accountId: harness.accountId, running, open: null, unconfirmed: null, creditMinor: 0 },
      input,
    );
    if (offer.kind !== "now") throw new Error("No quote");
    quotes.set(harness, offer.quote);
  }
  return startChange(app, await harness.account(), { ...input, quote: quotes.get(harness) });
};

/** Templates of emails, each as often as it was queued. */
const templates = async (harness: BillingHarness) => (await harness.rows()).emails.map(({ template }) => template);

const scenes: Record<string, Scene> = {
  "a purchase that begins": {
    begin: async () => undefined,
    command: (harness, app) => harness.choose(small.id, "month", app),
    again: async (harness, app) => {
      const begun = await harness.choose(small.id, "month", app);
      if (begun.ok) await harness.leaveCheckout(begun.value.url, "paid");
    },
    expectEnd: async (harness, point) => {
      const { orders, subscriptions } = await harness.rows();
      expect([point, orders.map(({ state }) => state)]).toEqual([point, ["paid"]]);
      expect([point, subscriptions.map(({ state }) => state)]).toEqual([point, ["active"]]);
      const { data: sessions } = await harness.stripe.checkout.sessions.list({ limit: 100 });
      const { data: customers } = await harness.stripe.customers.list({ limit: 100 });
      expect([point, sessions.map(({ status }) => status), customers.length]).toEqual([point, ["complete"], 1]);
      expect([point, await templates(harness)]).toEqual([point, ["receipt"]]);
    },
  },
  "a purchase whose event arrives": {
    begin: (harness) => harness.buy(),
    command: (harness, app) => harness.reconcile(app),
    expectEnd: async (harness, point) => {
      const { orders, lines, subscriptions } = await harness.rows();
      expect([point, orders.map(({ state, number_in_year: number }) => [state, number])]).toEqual([
        point,
        [["paid", 1]],
      ]);
      expect([point, lines.length, subscriptions.length, await templates(harness)]).toEqual([point, 1, 1, ["receipt"]]);
    },
  },
  "a renewal whose event arrives": {
    begin: async (harness) => {
      await paidPlan(harness);
      await harness.pass(31.5);
    },
    command: (harness, app) => harness.reconcile(app),
    expectEnd: async (harness, point) => {
      const { orders } = await harness.rows();
      expect([point, orders.map(({ kind, state }) => [kind, state])]).toEqual([
        point,
        [
          ["new-plan", "paid"],
          ["renewal", "paid"],
        ],
      ]);
      expect([point, await templates(harness)]).toEqual([point, ["receipt", "receipt"]]);
      const { data: invoices } = await harness.stripe.invoices.list({ limit: 100 });
      expect([point, invoices.map(({ metadata }) => metadata?.order)]).toEqual([
        point,
        orders.map(({ id }) => id).toReversed(),
      ]);
    },
  },
  "a refund of everything": {
    begin: async (harness) => {
      await paidPlan(harness);
      await harness.control("refund", { order: (await harness.rows()).orders[0]?.id });
    },
    command: (harness, app) => harness.reconcile(app),
    expectEnd: async (harness, point) => {
      const { orders, subscriptions } = await harness.rows();
      const [subscription] = (await harness.record()).subscriptions;
      expect([point, orders.map(({ state, refunded_minor: back }) => [state, back])]).toEqual([
        point,
        [["refunded", minor(small)]],
      ]);
      expect([point, subscription?.status, subscriptions.map(({ state, ended_at: at }) => [state, at])]).toEqual([
        point,
        "canceled",
        [["ended", subscription?.endedAt]],
      ]);
      expect([point, await templates(harness)]).toEqual([point, ["plan-ended", "receipt", "refund"]]);
    },
  },
  "a change of plan that begins at once": {
    begin: async (harness) => {
      await paidPlan(harness);
      await harness.pass(10);
      await upgrade(harness, { ...harness.app, payments: null });
    },
    command: upgrade,
    again: upgrade,
    expectEnd: async (harness, point) => {
      const { orders, subscriptions } = await harness.rows();
      expect([point, orders.map(({ kind, state, plan_id: plan }) => [kind, state, plan])]).toEqual([
        point,
        [
          ["new-plan", "paid", small.id],
          ["change", "paid", large.id],
        ],
      ]);
      expect([point, subscriptions.map(({ plan_id: plan }) => plan)]).toEqual([point, [large.id]]);
      const { data: invoices } = await harness.stripe.invoices.list({ limit: 100 });
      expect([point, invoices.map(({ status }) => status)]).toEqual([point, ["paid", "paid"]]);
      expect([point, await templates(harness)]).toEqual([point, ["plan-changed", "receipt", "receipt"]]);
    },
  },
  "a change of plan that the bank asks about": {
    begin: async (harness) => {
      await paidPlan(harness);
      await harness.useCard("pm_card_authenticationRequired");
      await upgrade(harness, { ...harness.app, payments: null });
    },
    command: upgrade,
    again: upgrade,
    expectEnd: async (harness, point) => {
      const { orders, subscriptions } = await harness.rows();
      const changes = orders.filter(({ kind }) => kind === "change").map(({ state }) => state);
      expect([point, changes]).toEqual([point, ["needs-action"]]);
      expect([point, subscriptions.map(({ plan_id: plan }) => plan)]).toEqual([point, [small.id]]);
      // If it were sent twice, the provider would have dropped the first, with the payment that the customer was
      // confirming.
      const { data: invoices } = await harness.stripe.invoices.list({ limit: 100 });
      expect([point, invoices.map(({ status }) => status)]).toEqual([point, ["open", "paid"]]);
      expect([point, await templates(harness)]).toEqual([point, ["receipt"]]);
    },
  },
  "a change of plan without a returning customer": {
    begin: async (harness) => {
      await paidPlan(harness);
      await upgrade(harness, { ...harness.app, payments: null });
    },
    command: upgrade,
    expectEnd: async (harness, point) => {
      const { orders, subscriptions } = await harness.rows();
      const { data: invoices } = await harness.stripe.invoices.list({ limit: 100 });
      const isCharged = invoices.length === 2;
      const changes = orders.filter(({ kind }) => kind === "change").map(({ state }) => state);
      expect([point, changes]).toEqual([point, isCharged ? ["paid"] : expect.not.arrayContaining(["paid"])]);
      const plan = isCharged ? large.id : small.id;
      expect([point, subscriptions.map(({ plan_id: id }) => id)]).toEqual([point, [plan]]);
      expect([point, (await templates(harness)).length]).toEqual([point, isCharged ? 3 : 1]);
    },
  },
  "a cancellation": {
    begin: paidPlan,
    command: async (harness, app) => changeCancellation(app, await harness.account(), "cancel"),
    again: async (harness, app) => changeCancellation(app, await harness.account(), "cancel"),
    expectEnd: async (harness, point) => {
      const [row] = (await harness.rows()).subscriptions;
      const [subscription] = (await harness.record()).subscriptions;
      expect([point, row?.cancels_at, subscription?.cancelsAt]).toEqual([
        point,
        row?.period_ends_at,
        row?.period_ends_at,
      ]);
      expect([point, await templates(harness)]).toEqual([point, ["plan-cancelled", "receipt"]]);
    },
  },
};

describe.each(Object.entries(scenes))("%s, killed at any point,", (_name, scene) => {
  test("is finished by the next request or cron run", async () => {
    const killPoints = await killPointsOf(scene);
    expect(killPoints.length).toBeGreaterThan(3);
    for (const point of killPoints) {
      const name = `${point.when} ${point.kind} ${point.nth}`;
      const harness = await openBillingHarness();
      await scene.begin(harness);
      await expect(
        scene.command(harness, { ...harness.app, ...killedAt(point, { ...harness, db: harness.app.db }) }),
        name,
      ).rejects.toThrow("killed");
      await scene.again?.(harness, harness.app);
      await runCronThrice(harness);
      await scene.expectEnd(harness, name);
      expect([name, harness.reports]).toEqual([name, []]);
    }
  });
});
