import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { readHealth } from "#app/modules/operators/reads/read-health.server.ts";
import { listedMax } from "#app/modules/operators/rules.ts";
import { refundWithinDays } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { askAsOperator, operatorToken } from "#tests/support/clients/operator-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

const gate = { kind: "plan", planId: "golden" } as const;
let app: TestApp;

beforeEach(async () => {
  app = testApp({ operatorToken, gate });
  await emptyTables(
    "operator_log",
    "withdrawals",
    "history_events",
    "friend_discounts",
    "referrals",
    "fraud_warnings",
    "orders",
    "entries",
    "webhook_events",
    "subscriptions",
    "unclaimed_customers",
    "cancellations",
    "emails",
    "sessions",
    "accounts",
  );
});

async function insert(sql: string, rows: unknown[][]): Promise<void> {
  const statement = env.DB.prepare(sql);
  await env.DB.batch(rows.map((row) => statement.bind(...row)));
}

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => String(nth).padStart(3, "0"));

async function addOwner(): Promise<void> {
  await insert(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?1 || '@example.com', ?1 || '@example.com', 'en', 'UTC', '', 0)`,
    [["acc_mara"], ["acc_nora"]],
  );
}

/** Paid orders of Mara, with numbers from 0 on. */
function addOrders(ids: string[], dispute = "none"): Promise<void> {
  return insert(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, dispute, created_at, updated_at,
       number_year, number_in_year, paid_at) values (?1, 'acc_mara', 'paid', 'new-plan', 'golden', 'year', 'EUR', 600, ?2, 0, 0, 2026, ?3, ?3)`,
    ids.map((id, nth) => [id, dispute, nth]),
  );
}

function addWithdrawals(rows: [id: string, order: string | null, declaredAt: number][]): Promise<void> {
  return insert(
    `insert into withdrawals (id, order_id, state, name, order_typed, email, declared_at)
     values (?, ?, 'declared', 'M', '1', 'acc_mara@example.com', ?)`,
    rows,
  );
}

type Row = Record<string, unknown> & { id: string };

/** Every page of a list, one after the other. */
async function pagesOf(path: string, name: string) {
  const ids: string[] = [];
  const totals = new Set<unknown>();
  let pages = 0;
  let after: string | null = null;
  do {
    const query: string = after === null ? "" : `${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(after)}`;
    const { status, json } = await askAsOperator(app, path + query);
    expect(status).toBe(200);
    const rows = json[name] as Row[];
    expect(rows.length).toBeLessThanOrEqual(listedMax);
    ids.push(...rows.map(({ id }) => id));
    const isReview = path.startsWith("/review");
    const read = (part: string) => (isReview ? (json[`${part}s`] as Record<string, unknown>)[name] : json[part]);
    totals.add(read("total"));
    after =
      (isReview ? (json["next"] as Record<string, string | null>)[name] : (json["next"] as string | null)) ?? null;
    pages += 1;
  } while (after !== null);
  return { ids, pages, totals: [...totals] };
}

describe("withdrawals", () => {
  test("that belong to an order come first, by due refund, whatever strangers declare without one", async () => {
    await addOwner();
    await addOrders(["ord_a", "ord_b"]);
    await addWithdrawals([
      ...upTo(144).map((nth): [string, null, number] => [`wdr_${nth}`, null, Number(nth)]),
      ["wdr_later", "ord_a", 2 * dayMs],
      ["wdr_sooner", "ord_b", dayMs],
    ]);
    for (const path of ["/withdrawals", "/review"]) {
      const { json } = await askAsOperator(app, path);
      const rows = json["withdrawals"] as Row[];
      expect(rows.slice(0, 3).map(({ id }) => id)).toEqual(["wdr_sooner", "wdr_later", "wdr_000"]);
      expect(rows).toHaveLength(listedMax);
      expect(rows[0]).toMatchObject({ number: "2026-000001", orderId: "ord_b", accountId: "acc_mara" });
    }
    const { ids, pages, totals } = await pagesOf("/withdrawals", "withdrawals");
    expect([ids.length, new Set(ids).size, pages, totals]).toEqual([146, 146, 2, [146]]);
  });

  test("show when the refund is due: at the end of the fourteenth day after the declaration", async () => {
    app = testApp({ operatorToken, product: { ...app.product, timeZone: "Europe/Berlin" } });
    await addWithdrawals([["wdr_1", null, Date.UTC(2026, 10, 20, 22, 59)]]);
    const { json } = await askAsOperator(app, "/withdrawals");
    expect(json["withdrawals"]).toMatchObject([{ refundDueAt: "2026-12-04T23:00:00.000Z" }]);
    expect(refundWithinDays).toBe(14);
    await env.DB.exec("update withdrawals set state = 'refunded'");
    const closed = await askAsOperator(app, "/withdrawals?state=refunded");
    expect(closed.json["withdrawals"]).toMatchObject([{ refundDueAt: null }]);
  });

  test("that arrive between two pages shift nothing, and one that is answered hides none", async () => {
    await addWithdrawals(upTo(250).map((nth) => [`wdr_${nth}`, null, 1000]));
    const first = await askAsOperator(app, "/withdrawals");
    await addOwner();
    await addOrders(["ord_a"]);
    await addWithdrawals([["wdr_new", "ord_a", 0]]);
    await env.DB.exec("update withdrawals set state = 'contested' where id <= 'wdr_099'");
    const second = await askAsOperator(app, `/withdrawals?after=${String(first.json["next"])}`);
    expect((second.json["withdrawals"] as Row[]).map(({ id }) => id)).toEqual(
      upTo(200)
        .slice(100)
        .map((nth) => `wdr_${nth}`),
    );
  });
});

test("disputes that need an answer come first, the next due first, each with its deadline and customer", async () => {
  await addOwner();
  await addOrders(["ord_later", "ord_sooner", "ord_unknown"], "needs-response");
  await env.DB.exec(`update orders set dispute_due_at = ${9 * dayMs} where id = 'ord_later'`);
  await env.DB.exec(`update orders set dispute_due_at = ${2 * dayMs} where id = 'ord_sooner'`);
  const { json } = await askAsOperator(app, "/review?list=disputes");
  expect(json["disputes"]).toMatchObject([
    { id: "ord_sooner", disputeDueAt: "1970-01-03T00:00:00.000Z", email: "acc_mara@example.com" },
    { id: "ord_later", disputeDueAt: "1970-01-10T00:00:00.000Z" },
    { id: "ord_unknown", disputeDueAt: null },
  ]);
  const second = await askAsOperator(app, `/review?list=disputes&after=0~${9 * dayMs}~ord_later`);
  expect((second.json["disputes"] as Row[]).map(({ id }) => id)).toEqual(["ord_unknown"]);
});

test("payments that weren't what was asked for say what to do: for a month if they are settled, else until they are", async () => {
  await addOwner();
  await addOrders(["ord_asked", "ord_kept", "ord_owed", "ord_refunded"]);
  const asked =
    "insert into history_events (order_id, what, occurrence, amount_minor, happened_at) values (?, 'mismatch', 'JPY', 900, 0)";
  await insert(asked, [["ord_kept"], ["ord_owed"], ["ord_refunded"]]);
  await env.DB.exec("update orders set failure = 'mismatch-kept' where id = 'ord_kept'");
  await env.DB.exec("update orders set failure = 'mismatch-refunded' where id in ('ord_owed', 'ord_refunded')");
  await env.DB.exec("update orders set state = 'refunded', refunded_minor = 600 where id = 'ord_refunded'");
  const listed = async (ahead: number) => {
    app = testApp({ operatorToken, gate, clock: () => ahead });
    const { json } = await askAsOperator(app, "/review?list=mismatches");
    expect((json["totals"] as Row)["mismatches"]).toBe((json["mismatches"] as Row[]).length);
    return json["mismatches"] as Row[];
  };
  const email = "acc_mara@example.com";
  expect(await listed(dayMs)).toMatchObject([
    {
      id: "ord_kept",
      number: "2026-000001",
      email,
      askedMinor: 900,
      askedCurrency: "JPY",
      amountMinor: 600,
      todo: expect.stringContaining("nothing: plan kept"),
    },
    { id: "ord_owed", todo: expect.stringContaining("refund it") },
    { id: "ord_refunded", refundedMinor: 600, todo: expect.stringContaining("nothing: refunded") },
  ]);
  expect((await listed(31 * dayMs)).map(({ id }) => id)).toEqual(["ord_owed"]);
  const { json } = await askAsOperator(app, `/person?find=${email}`);
  expect((json["summary"] as Row)["attention"]).toEqual([
    "order 2026-000002 wasn't paid as asked: refund it in Stripe's dashboard",
  ]);
  expect((await readHealth(app)).mismatches).toEqual({ listed: 1, owed: 1 });
});

describe("every list has a total and a cursor", () => {
  test("for waitlist entries, waiting and unconfirmed", async () => {
    const add = (state: string, from: number) =>
      insert(
        `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at,
           confirm_expires_at, number, sort_number) values (?1, 'plan:golden', ?2, ?1, ?1, ?1, ?1, ?1, 0, 0, ?3, ?3)`,
        upTo(241).map((nth) => [`ent_${state}${nth}`, state, state === "pending" ? null : from - Number(nth)]),
      );
    await add("waiting", 1000);
    await add("pending", 0);
    await add("left", 2000);
    const waiting = await pagesOf("/entries", "entries");
    expect(waiting).toEqual({
      ids: upTo(241)
        .toReversed()
        .map((nth) => `ent_waiting${nth}`),
      pages: 3,
      totals: [241],
    });
    for (const state of ["pending", "left"]) {
      const { ids, totals } = await pagesOf(`/entries?state=${state}`, "entries");
      expect([new Set(ids).size, ids.length, totals]).toEqual([241, 241, [241]]);
    }
  });

  test("for each list of pending decisions", async () => {
    await addOwner();
    const ids = upTo(130);
    await addOrders(
      ids.map((nth) => `ord_${nth}`),
      "needs-response",
    );
    await env.DB.exec("update orders set failure = 'mismatch-refunded'");
    await addWithdrawals(ids.map((nth) => [`wdr_${nth}`, `ord_${nth}`, 5]));
    await insert(
      `insert into entries (id, gate, state, review, email, email_canonical, confirm_hash, entry_hash, share_code, created_at,
         confirm_expires_at, number, sort_number) values (?1, 'signup', iif(?2 is null, 'pending', 'waiting'), 'under-review', ?1, ?1, ?1, ?1, ?1, 0, 0, ?2, ?2)`,
      // Some aren't confirmed.
      ids.map((nth) => [`ent_${nth}`, Number(nth) < 120 ? null : Number(nth)]),
    );
    await insert(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values (?1, 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
      ids.map((nth) => [`acc_${nth}`]),
    );
    await insert(
      `insert into referrals (id, referrer_id, friend_id, state, signed_up_at, waits_until)
       values (?, 'acc_mara', ?, 'under-review', 0, 7)`,
      ids.map((nth) => [`rfr_${nth}`, `acc_${nth}`]),
    );
    await insert(
      `insert into friend_discounts (referral_id, friend_id, order_id, state, amount_minor, currency, created_at)
       values (?, ?, ?, 'under-review', 500, 'EUR', 9)`,
      ids.map((nth) => [`rfr_${nth}`, `acc_${nth}`, `ord_${nth}`]),
    );
    await insert(
      "insert into emails (id, state, template, created_at) values (?, 'failed', 'receipt', 3)",
      ids.map((nth) => [`mail_${nth}`]),
    );
    await insert(
      "insert into webhook_events (id, state, type, received_at) values (?, 'failed', 'any', 3)",
      ids.map((nth) => [`evt_${nth}`]),
    );
    await insert(
      `insert into fraud_warnings (event_id, payment_id, fraud_type, warned_at) values (?, 'pi_1', 'misc', ${app.clock()})`,
      ids.map((nth) => [`evt_${nth}`]),
    );
    await insert(
      `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at,
         ended_at, end_cause, pause_cause, synced_at)
       select ?1, ?2, iif(?3, 'paused', 'ended'), 'golden', 'month', 600, 'EUR', 0, 0, iif(?3, null, ${Date.now()}),
         iif(?3, null, 'payment-failed'), iif(?3, 'requested', null), 0`,
      // Some wait for their owner.
      ids.map((nth) => [`sub_${nth}`, `acc_${nth}`, Number(nth) < 60]),
    );
    await insert(
      "insert into unclaimed_customers (provider_id, plan_id, reason, found_at, looked_at) values (?, 'golden', 'no-account', 3, 3)",
      ids.map((nth) => [`cus_${nth}`]),
    );
    await insert(
      `insert into cancellations (id, state, kind, name, order_typed, address, email, declared_by, declared_at)
       values (?, 'unmatched', 'ordinary', 'M', '1', 'm@example.com', 'm@example.com', 'anyone', 3)`,
      ids.map((nth) => [`can_${nth}`]),
    );
    const { json } = await askAsOperator(app, "/review");
    const names = Object.keys(json["totals"] as object);
    expect(names).toHaveLength(12);
    expect(Object.keys(json).toSorted()).toEqual([...names, "next", "totals"].toSorted());
    for (const name of names) {
      const { ids: found, pages, totals } = await pagesOf(`/review?list=${name}`, name);
      expect([name, new Set(found).size, found.length, pages, totals]).toEqual([name, 130, 130, 2, [130]]);
    }
  });

  test("for the log, newest first", async () => {
    await insert(
      "insert into operator_log (id, operator, outcome, call, began_at) values (?, 'Ada', 'done', 'numbers', 7)",
      upTo(150).map((nth) => [`opa_${nth}`]),
    );
    const { ids, totals } = await pagesOf("/log", "acts");
    expect(ids).toEqual(
      upTo(150)
        .toReversed()
        .map((nth) => `opa_${nth}`),
    );
    expect(totals).toEqual([150]);
  });

  test("an invalid cursor is refused, with a log entry", async () => {
    for (const path of [
      "/withdrawals?after=x",
      "/entries?after=1~2~3",
      "/review?list=disputes&after=1",
      "/log?after=~",
    ]) {
      const { status, json } = await askAsOperator(app, path);
      expect([path, status, json["code"]]).toEqual([path, 422, "cursor-unknown"]);
    }
    const { json } = await askAsOperator(app, "/review?list=everything");
    expect(json["errors"]).toEqual([{ field: "list", problem: "list-unknown" }]);
    const { results } = await env.DB.prepare("select call, refusal from operator_log order by rowid").all();
    expect(results).toEqual(["withdrawals", "entries", "review"].map((call) => ({ call, refusal: "cursor-unknown" })));
  });
});
