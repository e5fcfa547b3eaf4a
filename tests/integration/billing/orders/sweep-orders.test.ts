import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { done, refused } from "#app/core/result.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import {
  listDueSubjects,
  countDueCustomers,
  listDueCustomers,
} from "#app/modules/billing/sync/everyone.queries.server.ts";
import { eventRetentionMs } from "#app/modules/billing/sync/inbox.rules.ts";
import { callsMax, syncingMs } from "#app/modules/billing/sync/polling.rules.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { noBilling } from "#tests/support/billing/no-billing.ts";
import { openBillingHarness, type BillingHarness } from "#tests/support/billing/billing-harness.ts";

/** Runs the cron job this long from now. */
async function runCron(harness: BillingHarness, inMs = 0, overrides: Partial<App> = {}) {
  const at = Date.now() + inMs;
  await sweepOrders({ ...harness.app, clock: () => at, ...overrides });
  await harness.app.settled();
}

type Payments = BillingHarness["payments"];

/** A provider that records for which customers it was asked, and answers what `say` returns. */
function noting(harness: BillingHarness, say?: Payments["fetchBilling"]) {
  const requests: string[] = [];
  const payments: Payments = {
    ...harness.payments,
    withOwnDeadline: () => payments,
    fetchBilling: (customer) => {
      requests.push(customer);
      return (say ?? harness.payments.fetchBilling)(customer);
    },
  };
  return { asked: requests, payments };
}

const unreachable = refused({ reason: "provider-unreachable" as const, isFinal: false });

describe("events that were never delivered", () => {
  test("are found in the provider's list and handled once: a purchase, its refund and its dispute", async () => {
    const harness = await openBillingHarness();
    const order = await harness.buy();
    await runCron(harness);
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }]);
    await harness.control("dispute", { order });
    await runCron(harness);
    expect((await harness.rows()).orders).toMatchObject([{ dispute: "needs-response" }]);
    await harness.control("dispute", { order, outcome: "won" });
    await harness.control("refund", { order, amountMinor: 200 });
    await runCron(harness);
    const { orders, emails, events } = await harness.rows();
    expect(orders).toMatchObject([{ state: "partially-refunded", refunded_minor: 200, dispute: "won" }]);
    expect(emails.map(({ template }) => template)).toEqual(["dispute-opened", "dispute-won", "receipt", "refund"]);
    expect(new Set(events.map(({ state }) => state))).toEqual(new Set(["handled"]));
  });

  test("cause one sync for each customer, and delivered events cause none", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    const { asked: requests, payments } = noting(harness);
    await runCron(harness, 0, { payments });
    await runCron(harness, 0, { payments });
    expect(requests).toEqual([await harness.customerId()]);
    const delivered = (await harness.events()).find(({ type }) => type === "invoice.paid");
    expect((await harness.rows()).events.map(({ id }) => id)).toContain(delivered?.id);
    if (delivered) await harness.hear(delivered, { ...harness.app, payments });
    expect(requests).toHaveLength(1);
  });

  test("are found in any number, a few pages per run, each continuing after the last", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    const [oldest] = await harness.events();
    await env.DB.prepare("insert into job_cursors (name, cursor) values ('events', ?)").bind(oldest?.id).run();
    const customer = await harness.customerId();
    for (let count = 0; count < 320; count += 1) {
      await harness.stripe.customers.update(customer, { metadata: { count } });
    }
    const known = async () => (await harness.rows()).events.length;
    const before = await known();
    await runCron(harness);
    const afterOne = await known();
    await runCron(harness);
    expect([afterOne - before > 250, (await known()) - before]).toEqual([true, 320]);
  });

  test("are read from the newest remaining event if the provider has dropped the last one read", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await env.DB.prepare("insert into job_cursors (name, cursor) values ('events', 'evt_forgotten')").run();
    await runCron(harness);
    expect((await harness.rows()).orders).toMatchObject([{ state: "paid" }]);
  });

  test.each([1, 2, 3, 4, 5, 6])("a run that is killed at batch %i leaves what the next one needs", async (nth) => {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness, 0, { db: killedAtBatch(harness.app.db, nth, "before") }).catch(() => undefined);
    await runCron(harness, 2 * minuteMs);
    const { orders, emails, events } = await harness.rows();
    expect(orders).toMatchObject([{ state: "paid", number_in_year: 1 }]);
    expect(emails).toHaveLength(1);
    expect(new Set(events.map(({ state }) => state))).toEqual(new Set(["handled"]));
  });
});

describe("the inbox", () => {
  const insert = (id: string, customer: string, state: string, at: number) =>
    env.DB.prepare(
      "insert into webhook_events (id, state, type, customer_id, received_at) values (?1, ?3, 'invoice.paid', ?2, ?4)",
    )
      .bind(id, customer, state, at)
      .run();
  const stateOf = async (id: string) =>
    env.DB.prepare("select state, tries from webhook_events where id = ?").bind(id).first();

  test("retries received events that were never handled, with growing delays", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    const received = Date.now();
    await insert("evt_lost", await harness.customerId(), "received", received);
    const { asked: requests, payments } = noting(harness, async () => unreachable);
    const failing = { payments };
    await runCron(harness, minuteMs - 1000, failing);
    expect(requests).toHaveLength(0);
    for (const [at, tries] of [
      [minuteMs + 1000, 2],
      [2 * minuteMs, 2],
      [3 * minuteMs + 2000, 3],
      [7 * minuteMs, 3],
      [7 * minuteMs + 3000, 4],
    ] as const) {
      await runCron(harness, at, failing);
      expect([at, await stateOf("evt_lost")]).toEqual([at, { state: "failed", tries }]);
    }
    await runCron(harness, 16 * minuteMs);
    expect(await stateOf("evt_lost")).toEqual({ state: "handled", tries: 5 });
  });

  test("tries a given-up event once a day, and deletes it once the provider has", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    await insert("evt_old", await harness.customerId(), "failed", Date.now());
    await env.DB.exec("update webhook_events set tries = 16 where id = 'evt_old'");
    const { asked: requests, payments } = noting(harness, async () => unreachable);
    await runCron(harness, dayMs - minuteMs, { payments });
    expect([requests.length, await stateOf("evt_old")]).toEqual([0, { state: "failed", tries: 16 }]);
    for (const [at, tries] of [
      [dayMs + minuteMs, 17],
      [2 * dayMs, 17],
      [2 * dayMs + 2 * minuteMs, 18],
    ] as const) {
      await runCron(harness, at, { payments });
      expect([at, await stateOf("evt_old")]).toEqual([at, { state: "failed", tries }]);
    }
    await runCron(harness, eventRetentionMs - minuteMs);
    expect(await stateOf("evt_old")).not.toBeNull();
    const before = (await harness.rows()).events.map(({ id }) => id);
    await harness.pass(eventRetentionMs / dayMs + 1);
    await runCron(harness, eventRetentionMs + dayMs);
    const after = new Set((await harness.rows()).events.map(({ id }) => id));
    expect([before.length > 5, before.filter((id) => after.has(id))]).toEqual([true, []]);
  });

  test("begins with what has waited longest", async () => {
    const { app } = await openBillingHarness();
    const now = Date.now();
    await insert("evt_a", "cus_later", "received", now - 2 * hourMs);
    await insert("evt_b", "cus_earlier", "received", now - 3 * hourMs);
    expect(await listDueSubjects(app.db, now, 1)).toMatchObject([{ customerId: "cus_earlier" }]);
  });

  test("ignores events of unknown customers without asking the provider", async () => {
    const harness = await openBillingHarness();
    await insert("evt_stranger", "cus_stranger", "received", Date.now() - hourMs);
    const { asked: requests, payments } = noting(harness);
    await runCron(harness, 0, { payments });
    expect([requests, await stateOf("evt_stranger")]).toEqual([[], { state: "ignored", tries: 2 }]);
  });
});

describe("the scheduled sync of inactive accounts", () => {
  /** Adds a customer with a plan, synced now. */
  async function aPlan(id: string, state: string) {
    const now = Date.now();
    await env.DB.batch([
      env.DB.prepare("delete from accounts where id = ?").bind(id),
      env.DB.prepare(
        `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
         values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
      ).bind(id),
      env.DB.prepare(
        "insert into customers (account_id, provider_id, created_at, asked_at) values (?1, ?1, 0, ?2)",
      ).bind(id, now),
      env.DB.prepare(
        `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at, synced_at)
         values (?1, ?1, ?2, '${small.id}', 'month', 600, 'EUR', 0, ?3, 0)`,
      ).bind(id, state, now + dayMs),
    ]);
    return id;
  }

  /** Adds this many accounts, each with an open order that has been unchanged for an hour. */
  async function aCrowd(size: number) {
    const harness = await openBillingHarness();
    const ids = Array.from({ length: size }, (_, index) => `acc_crowd_${String(index).padStart(4, "0")}`);
    const born = Date.now() - hourMs;
    await env.DB.exec("delete from accounts where id like 'acc_crowd%'");
    await env.DB.batch(
      [
        `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
         select value, 'active', value, value, 'en', 'UTC', '', 0 from json_each(?1) where ?2 > 0`,
        `insert into customers (account_id, provider_id, created_at, asked_at)
         select value, value, 0, ?2 from json_each(?1)`,
        `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
         select value, value, 'pending', 'new-plan', '${small.id}', 'month', 'EUR', 600, ?2 + key, ?2 + key from json_each(?1)`,
      ].map((insert) => env.DB.prepare(insert).bind(JSON.stringify(ids), born)),
    );
    // Nothing of them is in the provider's list of events.
    return { harness, ids };
  }

  test("is limited by a budget of calls, covers those that wait longest, and no kind waits for another", async () => {
    const { harness, ids } = await aCrowd(3000);
    const now = Date.now();
    // Each of them is due for less time than every order.
    const [unpaid, overdue] = [await aPlan("acc_unpaid", "past-due-grace"), await aPlan("acc_overdue", "active")];
    await env.DB.batch([
      env.DB.prepare("update customers set asked_at = ? where account_id = ?").bind(now - 6 * hourMs - 1, unpaid),
      env.DB.prepare("update customers set asked_at = ? where account_id = ?").bind(now - 2 * hourMs, overdue),
      env.DB.prepare("update subscriptions set period_ends_at = ? where account_id = ?").bind(
        now - hourMs - 1,
        overdue,
      ),
    ]);
    const { asked: requests, payments } = noting(harness, async () => done(noBilling));
    let calls = 0;
    const callsEach = 7;
    const counting: Payments = {
      ...payments,
      withOwnDeadline: (count = () => undefined) => ({
        ...payments,
        fetchBilling: (...request) => {
          for (let call = 0; call < callsEach; call += 1) count();
          calls += callsEach;
          return payments.fetchBilling(...request);
        },
      }),
    };
    const perRun = Math.ceil(callsMax / callsEach);
    for (const run of [1, 2]) {
      const before = calls;
      await runCron(harness, 0, { payments: counting });
      expect(calls - before).toBe(perRun * callsEach);
      expect(requests.slice(0, 3)).toEqual([ids[0], unpaid, overdue]);
      const ofOrders = requests.filter((id) => ids.includes(id));
      expect(ofOrders).toEqual(ids.slice(0, perRun * run - 2));
      expect((await countDueCustomers(harness.app.db, now))[0]?.count).toBe(ids.length - ofOrders.length);
    }
  });

  test("begins with the plan that is overdue longest, whenever it was to be renewed", async () => {
    const { app } = await openBillingHarness();
    const now = Date.now();
    for (const [id, happensAt, askedAt] of [
      ["acc_asked", now - 10 * hourMs, now - 3 * hourMs],
      ["acc_unasked", now - 5 * hourMs, now - 11 * hourMs],
    ] as const) {
      await aPlan(id, "active");
      await env.DB.batch([
        env.DB.prepare("update customers set asked_at = ? where account_id = ?").bind(askedAt, id),
        env.DB.prepare("update subscriptions set period_ends_at = ? where account_id = ?").bind(happensAt, id),
      ]);
    }
    const lists = (limit: number) => app.db.batch([...listDueCustomers(app.db, now, limit)]);
    expect((await lists(2)).flat()).toHaveLength(2);
    expect((await lists(1)).flat()).toMatchObject([{ accountId: "acc_unasked" }]);
  });

  test("begins no sync when the next run is near", async () => {
    const { harness, ids } = await aCrowd(4);
    let at = 0;
    const { asked: requests, payments } = noting(harness, async () => {
      at += syncingMs / 2;
      return done(noBilling);
    });
    await runCron(harness, 0, { payments, wallClock: () => at });
    expect(requests).toEqual(ids.slice(0, 2));
  });

  test("covers all accounts, even if one of them is in an impossible state", async () => {
    const { harness, ids } = await aCrowd(4);
    const { asked: requests, payments } = noting(harness, async (customer) => {
      if (customer === ids[1]) throw new Error("two running");
      return done(noBilling);
    });
    await runCron(harness, 0, { payments });
    expect([requests, harness.reports]).toEqual([ids, ["two running"]]);
  });

  test("stops in a run in which the provider didn't answer twice, and postpones only those two accounts", async () => {
    const { harness, ids } = await aCrowd(4);
    const { asked: requests, payments } = noting(harness, async () => unreachable);
    await runCron(harness, 0, { payments });
    expect(requests).toEqual(ids.slice(0, 2));
    const { asked: then, payments: up } = noting(harness, async () => done(noBilling));
    await runCron(harness, 0, { payments: up });
    expect(then).toEqual(ids.slice(2));
  });

  test("has a separate deadline for each account", async () => {
    const { harness } = await aCrowd(3);
    let deadlines = 0;
    const { payments } = noting(harness, async () => done(noBilling));
    const counting: Payments = { ...payments, withOwnDeadline: () => ((deadlines += 1), payments) };
    await runCron(harness, 0, { payments: counting });
    expect(deadlines).toBe(4);
  });

  /** How soon this account is synced by a cron job that runs every minute; null: not within a day. */
  async function firstAsked(columns: Record<string, string>): Promise<number | null> {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    for (const [table, set] of Object.entries(columns)) {
      await env.DB.prepare(`update ${table} set ${set} where account_id = ?`).bind(harness.accountId).run();
    }
    return firstAskedOf(harness);
  }

  async function firstAskedOf(harness: BillingHarness): Promise<number | null> {
    const { asked: requests, payments } = noting(harness, async () => unreachable);
    for (let at = 0; at < dayMs; at += 30 * minuteMs) {
      await runCron(harness, at, { payments });
      if (requests.length > 0) return at;
    }
    return null;
  }

  test("runs for a plan that is unpaid, and after the time at which something was to happen to it", async () => {
    const now = Date.now();
    expect(await firstAsked({})).toBeNull();
    expect(await firstAsked({ subscriptions: "state = 'past-due-grace', past_due_since = 0" })).toBe(6 * hourMs);
    for (const column of ["period_ends_at", "pending_at", "coming_at"]) {
      expect(await firstAsked({ subscriptions: `${column} = ${now}` })).toBe(hourMs);
      expect(await firstAsked({ subscriptions: `${column} = ${now}, state = 'ended'` })).toBeNull();
    }
  });

  test.each([
    ["a change of address", "'changed', ?2, null"],
    ["an address was restored", `'reverted', ?2 - ${dayMs}, ?2`],
  ])("runs twice after %s, in case the provider didn't answer then, and is counted", async (_, happened) => {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    const now = Date.now();
    await env.DB.prepare(
      `insert into address_changes (id, account_id, from_email, from_canonical, to_email, to_canonical, revert_hash, revert_expires_at,
         state, changed_at, reverted_at)
       values (?1, ?1, 'a', 'a', 'b', 'b', ?1, ?2, ${happened})`,
    )
      .bind(harness.accountId, now)
      .run();
    const { asked: requests, payments } = noting(harness, async () => unreachable);
    expect(await countDueCustomers(harness.app.db, now + hourMs)).toEqual([{ count: 1, oldestAt: now + hourMs }]);
    const times: number[] = [];
    for (let at = 0; at < dayMs; at += 30 * minuteMs) {
      const before = requests.length;
      await runCron(harness, at, { payments });
      if (requests.length > before) times.push(at);
    }
    expect(times).toEqual([hourMs, 12 * hourMs]);
  });

  test("covers every customer after a time of which the provider's list has no events any more", async () => {
    const { harness, ids } = await aCrowd(3);
    await env.DB.exec("update orders set state = 'expired' where id like 'acc_crowd%'");
    const { asked: requests, payments } = noting(harness, async () => done(noBilling));
    await runCron(harness, 0, { payments });
    expect(requests).toEqual([]);
    await env.DB.prepare("insert or replace into job_cursors (name, cursor) values ('events', 'evt_forgotten')").run();
    await runCron(harness, 0, { payments });
    expect(requests.toSorted()).toEqual(ids);
    await runCron(harness, 0, { payments });
    expect(requests).toHaveLength(ids.length);
  });

  test("covers a customer at random in each run, unless it was synced in the last day", async () => {
    const { harness, ids } = await aCrowd(3);
    await env.DB.exec("update orders set state = 'expired' where id like 'acc_crowd%'");
    const { asked: requests, payments } = noting(harness, async () => done(noBilling));
    // Of all ids, this is the first.
    const random = (count: number) => new Uint8Array(count);
    await runCron(harness, 0, { payments, random });
    expect(requests).toEqual([]);
    await runCron(harness, dayMs, { payments, random });
    expect(requests).toEqual(ids.slice(0, 1));
    await runCron(harness, dayMs, { payments, random: (count: number) => new Uint8Array(count).fill(255) });
    expect(requests).toHaveLength(1);
  });

  test("runs for a change whose answer was lost, and not for a purchase that never reached the provider", async () => {
    const draft = (kind: string) => ({
      orders: `state = 'draft', kind = '${kind}', paid_at = null, number_year = null, number_in_year = null,
        expires_at = created_at + ${dayMs}`,
    });
    expect(await firstAsked(draft("change"))).toBe(30 * minuteMs);
    expect(await firstAsked(draft("new-plan"))).toBeNull();
  });

  test("runs less and less often for an order that stays open", async () => {
    const { harness } = await aCrowd(1);
    const { asked: requests, payments } = noting(harness, async () => done(noBilling));
    const times: number[] = [];
    for (let at = 0; at <= 2 * dayMs; at += 30 * minuteMs) {
      const before = requests.length;
      await runCron(harness, at, { payments });
      if (requests.length > before) times.push(at);
    }
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps.toSorted((left, right) => left - right)).toEqual(gaps);
    expect([times.length < 20, Math.max(...gaps)]).toEqual([true, 6 * hourMs]);
  });
});
