import { describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { offerChange } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import { startChange } from "#app/modules/plan-changes/commands/start-change.server.ts";
import { sweepOrders } from "#app/modules/billing-sync/commands/sweep-orders.server.ts";
import { changeCancellation } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { large, minor, small } from "#tests/support/catalogue.ts";
import { counting, dyingAt, type Place } from "#tests/support/killed.ts";
import { openTill, type Till } from "#tests/support/till.ts";

/**
 * A Worker is killed before or after any batch it writes and any call it makes. Whatever it was doing, nothing is half done
 * afterwards, or the next click or run of the clock finishes it: one order, one charge, one plan, one mail of a kind.
 */
type Act = (till: Till, app: App) => Promise<unknown>;
type Scene = {
  begin: (till: Till) => Promise<unknown>;
  act: Act;
  /** What the person does next, after a page that broke; absent where nobody waits for anything. */
  again?: Act;
  expectEnd: (till: Till, place: string) => Promise<void>;
};

/** The clock, some minutes later, as often as it takes to have a second look. */
async function strikeThrice(till: Till) {
  for (const inMs of [minuteMs, 10 * minuteMs, 30 * minuteMs]) {
    const at = till.app.clock() + inMs;
    await sweepOrders({ ...till.app, clock: () => at });
  }
  await till.app.settled();
}

/** Every place at which the act can die, found by letting it live once. */
async function placesOf(scene: Scene): Promise<Place[]> {
  const till = await openTill();
  await scene.begin(till);
  const alive = counting({ db: till.app.db, payments: till.payments });
  await scene.act(till, { ...till.app, ...alive.app });
  return alive.places();
}

const paidPlan = async (till: Till) => {
  await till.buy();
  await till.settle();
  await till.app.settled();
};

/** The quote that the page shows for a change to the large plan, which begins at once. */
const quotes = new WeakMap<Till, string>();
const upgrade: Act = async (till, app) => {
  const running = await findRunningSubscription(till.app.db, till.accountId);
  if (!running) throw new Error("Nothing runs");
  const wish = { planId: large.id, interval: "month" } as const;
  if (!quotes.has(till)) {
    const offer = await offerChange(
      till.app,
      { accountId: till.accountId, running, open: null, unconfirmed: null, creditMinor: 0 },
      wish,
    );
    if (offer.kind !== "now") throw new Error("No quote");
    quotes.set(till, offer.quote);
  }
  return startChange(app, await till.account(), { ...wish, quote: quotes.get(till) });
};

/** Templates of mails, each as often as it was queued. */
const told = async (till: Till) => (await till.rows()).mails.map(({ template }) => template);

const scenes: Record<string, Scene> = {
  "a purchase that begins": {
    begin: async () => undefined,
    act: (till, app) => till.choose(small.id, "month", app),
    again: async (till, app) => {
      const begun = await till.choose(small.id, "month", app);
      if (begun.ok) await till.leaveCheckout(begun.value.url, "paid");
    },
    expectEnd: async (till, place) => {
      const { orders, subscriptions } = await till.rows();
      expect([place, orders.map(({ state }) => state)]).toEqual([place, ["paid"]]);
      expect([place, subscriptions.map(({ state }) => state)]).toEqual([place, ["active"]]);
      const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
      const { data: customers } = await till.stripe.customers.list({ limit: 100 });
      expect([place, sessions.map(({ status }) => status), customers.length]).toEqual([place, ["complete"], 1]);
      expect([place, await told(till)]).toEqual([place, ["receipt"]]);
    },
  },
  "a purchase that is heard of": {
    begin: (till) => till.buy(),
    act: (till, app) => till.settle(app),
    expectEnd: async (till, place) => {
      const { orders, lines, subscriptions } = await till.rows();
      expect([place, orders.map(({ state, number_in_year: number }) => [state, number])]).toEqual([
        place,
        [["paid", 1]],
      ]);
      expect([place, lines.length, subscriptions.length, await told(till)]).toEqual([place, 1, 1, ["receipt"]]);
    },
  },
  "a renewal that is heard of": {
    begin: async (till) => {
      await paidPlan(till);
      await till.pass(31.5);
    },
    act: (till, app) => till.settle(app),
    expectEnd: async (till, place) => {
      const { orders } = await till.rows();
      expect([place, orders.map(({ kind, state }) => [kind, state])]).toEqual([
        place,
        [
          ["new-plan", "paid"],
          ["renewal", "paid"],
        ],
      ]);
      expect([place, await told(till)]).toEqual([place, ["receipt", "receipt"]]);
      const { data: invoices } = await till.stripe.invoices.list({ limit: 100 });
      expect([place, invoices.map(({ metadata }) => metadata?.order)]).toEqual([
        place,
        orders.map(({ id }) => id).toReversed(),
      ]);
    },
  },
  "a refund of everything": {
    begin: async (till) => {
      await paidPlan(till);
      await till.control("refund", { order: (await till.rows()).orders[0]?.id });
    },
    act: (till, app) => till.settle(app),
    expectEnd: async (till, place) => {
      const { orders, subscriptions } = await till.rows();
      const [plan] = (await till.record()).subscriptions;
      expect([place, orders.map(({ state, refunded_minor: back }) => [state, back])]).toEqual([
        place,
        [["refunded", minor(small)]],
      ]);
      expect([place, plan?.status, subscriptions.map(({ state, ended_at: at }) => [state, at])]).toEqual([
        place,
        "canceled",
        [["ended", plan?.endedAt]],
      ]);
      expect([place, await told(till)]).toEqual([place, ["plan-ended", "receipt", "refund"]]);
    },
  },
  "a change of plan that begins at once": {
    begin: async (till) => {
      await paidPlan(till);
      await till.pass(10);
      await upgrade(till, { ...till.app, payments: null });
    },
    act: upgrade,
    again: upgrade,
    expectEnd: async (till, place) => {
      const { orders, subscriptions } = await till.rows();
      expect([place, orders.map(({ kind, state, plan_id: plan }) => [kind, state, plan])]).toEqual([
        place,
        [
          ["new-plan", "paid", small.id],
          ["change", "paid", large.id],
        ],
      ]);
      expect([place, subscriptions.map(({ plan_id: plan }) => plan)]).toEqual([place, [large.id]]);
      const { data: invoices } = await till.stripe.invoices.list({ limit: 100 });
      expect([place, invoices.map(({ status }) => status)]).toEqual([place, ["paid", "paid"]]);
      expect([place, await told(till)]).toEqual([place, ["plan-changed", "receipt", "receipt"]]);
    },
  },
  "a change of plan that the bank asks about": {
    begin: async (till) => {
      await paidPlan(till);
      await till.useCard("pm_card_authenticationRequired");
      await upgrade(till, { ...till.app, payments: null });
    },
    act: upgrade,
    again: upgrade,
    expectEnd: async (till, place) => {
      const { orders, subscriptions } = await till.rows();
      const changes = orders.filter(({ kind }) => kind === "change").map(({ state }) => state);
      expect([place, changes]).toEqual([place, ["needs-action"]]);
      expect([place, subscriptions.map(({ plan_id: plan }) => plan)]).toEqual([place, [small.id]]);
      // Told twice, the provider would have forgotten the first, with whatever the person was confirming.
      const { data: invoices } = await till.stripe.invoices.list({ limit: 100 });
      expect([place, invoices.map(({ status }) => status)]).toEqual([place, ["open", "paid"]]);
      expect([place, await told(till)]).toEqual([place, ["receipt"]]);
    },
  },
  "a change of plan that nobody comes back to": {
    begin: async (till) => {
      await paidPlan(till);
      await upgrade(till, { ...till.app, payments: null });
    },
    act: upgrade,
    expectEnd: async (till, place) => {
      const { orders, subscriptions } = await till.rows();
      const { data: invoices } = await till.stripe.invoices.list({ limit: 100 });
      const isCharged = invoices.length === 2;
      const changes = orders.filter(({ kind }) => kind === "change").map(({ state }) => state);
      expect([place, changes]).toEqual([place, isCharged ? ["paid"] : expect.not.arrayContaining(["paid"])]);
      const plan = isCharged ? large.id : small.id;
      expect([place, subscriptions.map(({ plan_id: id }) => id)]).toEqual([place, [plan]]);
      expect([place, (await told(till)).length]).toEqual([place, isCharged ? 3 : 1]);
    },
  },
  "a cancellation": {
    begin: paidPlan,
    act: async (till, app) => changeCancellation(app, await till.account(), "cancel"),
    again: async (till, app) => changeCancellation(app, await till.account(), "cancel"),
    expectEnd: async (till, place) => {
      const [row] = (await till.rows()).subscriptions;
      const [plan] = (await till.record()).subscriptions;
      expect([place, row?.cancels_at, plan?.cancelsAt]).toEqual([place, row?.period_ends_at, row?.period_ends_at]);
      expect([place, await told(till)]).toEqual([place, ["plan-cancelled", "receipt"]]);
    },
  },
};

describe.each(Object.entries(scenes))("%s, and dies anywhere", (_name, scene) => {
  test("is finished by whoever comes next", async () => {
    const places = await placesOf(scene);
    expect(places.length).toBeGreaterThan(3);
    for (const place of places) {
      const name = `${place.when} ${place.kind} ${place.nth}`;
      const till = await openTill();
      await scene.begin(till);
      await expect(
        scene.act(till, { ...till.app, ...dyingAt(place, { ...till, db: till.app.db }) }),
        name,
      ).rejects.toThrow("killed");
      await scene.again?.(till, till.app);
      await strikeThrice(till);
      await scene.expectEnd(till, name);
      expect([name, till.reports]).toEqual([name, []]);
    }
  });
});
