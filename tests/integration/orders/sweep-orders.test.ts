import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { done, refused } from "#app/core/result.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { eventRetentionMs } from "#app/modules/stripe-events/inbox.rules.ts";
import { sweepOrders } from "#app/modules/billing-sync/commands/sweep-orders.server.ts";
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

  test("finally fails an event, and deletes it once the provider has", async () => {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    await insert("evt_old", await harness.customerId(), "failed", Date.now());
    await env.DB.exec("update webhook_events set tries = 16 where id = 'evt_old'");
    const { asked: requests, payments } = noting(harness);
    await runCron(harness, 2 * dayMs, { payments });
    expect([requests, await stateOf("evt_old")]).toEqual([[], { state: "failed", tries: 16 }]);
    await runCron(harness, eventRetentionMs - minuteMs);
    expect(await stateOf("evt_old")).not.toBeNull();
    const before = (await harness.rows()).events.map(({ id }) => id);
    await harness.pass(eventRetentionMs / dayMs + 1);
    await runCron(harness, eventRetentionMs + dayMs);
    const after = new Set((await harness.rows()).events.map(({ id }) => id));
    expect([before.length > 5, before.filter((id) => after.has(id))]).toEqual([true, []]);
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
  /** Adds this many accounts, each with an open order that has been unchanged for an hour. */
  async function aCrowd(size: number) {
    const harness = await openBillingHarness();
    const ids = Array.from({ length: size }, (_, index) => `acc_crowd_${String(index).padStart(2, "0")}`);
    const born = Date.now() - hourMs;
    await env.DB.exec("delete from accounts where id like 'acc_crowd%'");
    await env.DB.batch(
      ids.flatMap((id, index) => [
        env.DB.prepare(
          `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
           values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
        ).bind(id),
        env.DB.prepare(
          "insert into customers (account_id, provider_id, created_at, asked_at) values (?1, ?1, 0, ?2)",
        ).bind(id, born),
        env.DB.prepare(
          `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
           values (?1, ?1, 'pending', 'new-plan', '${small.id}', 'month', 'EUR', 600, ?2, ?2)`,
        ).bind(id, born + index),
      ]),
    );
    // Nothing of them is in the provider's list of events.
    return { harness, ids };
  }

  test("covers five in a run, those that wait longest first, until all have been synced", async () => {
    const { harness, ids } = await aCrowd(12);
    const { asked: requests, payments } = noting(harness, async () => done(noBilling));
    for (const count of [5, 10, 12, 12]) {
      await runCron(harness, 0, { payments });
      expect(requests).toEqual(ids.slice(0, count));
    }
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

  /** How soon this account is synced by a cron job that runs every minute; null: not within the given time. */
  async function firstAsked(columns: Record<string, string>, withinMs: number): Promise<number | null> {
    const harness = await openBillingHarness();
    await harness.buy();
    await runCron(harness);
    for (const [table, set] of Object.entries(columns)) {
      await env.DB.prepare(`update ${table} set ${set} where account_id = ?`).bind(harness.accountId).run();
    }
    const { asked: requests, payments } = noting(harness, async () => unreachable);
    for (let at = 0; at <= withinMs; at += 30 * minuteMs) {
      await runCron(harness, at, { payments });
      if (requests.length > 0) return at;
    }
    return null;
  }

  test("runs each week for a running plan, and much sooner for one that is unpaid or overdue", async () => {
    const now = Date.now();
    expect(await firstAsked({}, dayMs)).toBeNull();
    expect(await firstAsked({ customers: `asked_at = ${now - 7 * dayMs + hourMs}` }, dayMs)).toBe(hourMs);
    expect(await firstAsked({ subscriptions: "state = 'past-due-grace', past_due_since = 0" }, dayMs)).toBe(6 * hourMs);
    const overdue = { subscriptions: `period_ends_at = ${now}` };
    expect(await firstAsked(overdue, dayMs)).toBe(hourMs);
  });

  test("runs for a change whose answer was lost, and not for a purchase that never reached the provider", async () => {
    const draft = (kind: string) => ({
      orders: `state = 'draft', kind = '${kind}', paid_at = null, number_year = null, number_in_year = null,
        expires_at = created_at + ${dayMs}`,
    });
    expect(await firstAsked(draft("change"), hourMs)).toBe(30 * minuteMs);
    expect(await firstAsked(draft("new-plan"), hourMs)).toBeNull();
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
