import { type AccountId, type WithdrawalId, noWithdrawal } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { RouterContextProvider } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { appContext, sessionCookieContext, viewerContext } from "#app/http/request/contexts.ts";
import { sendsPerHourMax, sendsPerNetworkMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayMs, formatExactly, hourMs, minuteMs } from "#app/core/time/time.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import { declarationShownMs } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { declareCancellation } from "#app/modules/billing/cancellations/commands/declare-cancellation.server.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { withdrawalRetentionMs } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { earliestWithdrawable } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { closeWithdrawals, reopenWithdrawals } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { findWithdrawable } from "#app/modules/billing/orders/queries.server.ts";
import { product } from "#app/product/config.ts";
import * as sitemap from "#app/routes/sitemap/route.ts";
import * as cancel from "#app/routes/cancel/route.tsx";
import * as withdraw from "#app/routes/withdraw/route.tsx";
import { small } from "#tests/support/billing/catalogue.ts";
import { watched, wholeReads } from "#tests/support/database/recording-database.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { cronJobs } from "#workers/cron.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let app: TestApp;
const order = "ord_0123456789abcdefghjkmnpqrs";
const owner = "mara@example.com";

/** How both accounts read a time. */
const reader = { locale: "en-GB", timeZone: "Asia/Tokyo" };

beforeEach(async () => {
  app = testApp();
  await emptyTables(
    "withdrawals",
    "history_events",
    "order_lines",
    "orders",
    "accounts",
    "emails",
    "waiting_emails",
    "quota_uses",
  );
  const account = env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?2, ?2, '${reader.locale}', '${reader.timeZone}', '', 0)`,
  );
  await env.DB.batch([
    account.bind("acc_mara", owner),
    account.bind("acc_nils", "nils@example.com"),
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
         number_year, number_in_year, paid_at)
       values (?, 'acc_mara', 'paid', 'new-plan', '${small.id}', 'month', 'EUR', 600, 0, 0, 2026, 41, ?)`,
    ).bind(order, app.clock()),
  ]);
});

let networks = 0;
const ownNetwork = () => `2001:db8:${(networks += 1).toString(16)}::1`;

type Input = {
  name?: string;
  number?: string;
  ref?: string;
  email?: string;
  ip?: string;
  isOwn?: boolean;
  accountId?: AccountId;
  using?: TestApp;
};

function declare(input: Input = {}) {
  const {
    name = "Mara Example",
    number = "2026-000041",
    email = owner,
    ip = ownNetwork(),
    isOwn = false,
    accountId = null,
  } = input;
  const address = parseEmailAddress(email);
  if (!address) throw new Error("not an address");
  return declareWithdrawal(
    input.using ?? app,
    { name, order: number, email: address, ref: input.ref },
    { ip, accountId, isOwn },
  );
}

/** What its owner sees of the order. */
const shown = () => showOrder(app, "acc_mara", order);

type Row = {
  id: WithdrawalId;
  order_id: string | null;
  state: string;
  name: string;
  order_typed: string;
  email: string;
  declared_at: number;
  acknowledged_at: number | null;
  closed_at: number | null;
  declared_by: string;
  contest_reason: string | null;
  time_zone: string | null;
};

/** The email that acknowledges a declaration, as the site writes it. */
function acknowledged(by: { name: string; email: string } | null, about = gap) {
  return emailOf({ template: "withdrawal-acknowledged", order: about, by, declared: gap, refundBy: gap });
}

async function rows(): Promise<Row[]> {
  return (await env.DB.prepare("select * from withdrawals order by declared_at, id").all<Row>()).results;
}

test("the order that can be withdrawn from is found behind renewals and attempts that came to nothing", async () => {
  const found = () => findWithdrawable(app.db, "acc_mara", earliestWithdrawable(product, app.clock()));
  let nth = 41;
  const add = (id: string, kind: string, state: string, paidAt: number | null) =>
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at, paid_at,
         number_year, number_in_year)
       values (?1, 'acc_mara', ?2, ?3, '${small.id}', 'month', 'EUR', 600, 1, 1, ?4, iif(?4 is null, null, 2026), iif(?4 is null, null, ?5))`,
    )
      .bind(id, state, kind, paidAt, (nth += 1))
      .run();
  await add("ord_abandoned", "change", "expired", null);
  await add("ord_renewed", "renewal", "paid", app.clock() + 1);
  await add("ord_refunded", "change", "refunded", app.clock() + 1);
  expect(await found()).toMatchObject([{ id: order }]);
  await add("ord_changed", "change", "partially-refunded", app.clock() + 1);
  expect(await found()).toMatchObject([{ id: "ord_changed" }]);
  expect(await findWithdrawable(app.db, "acc_nils", 0)).toEqual([]);
});

describe("a declaration of withdrawal", () => {
  test("is stored with its text and time, emailed with its order and time, and acknowledged once the email is sent", async () => {
    const declaredAt = app.clock();
    expect(await declare({ email: "Mara@Example.COM" })).toEqual({
      ok: true,
      value: { isNew: true, ownOrderId: null },
    });
    await app.settled();
    expect(app.emails).toMatchObject([{ to: owner, subject: acknowledged(null).subject }]);
    const [sentEmail] = app.emails;
    for (const fact of ["2026-000041", formatExactly(declaredAt, reader)]) expect(sentEmail?.text).toContain(fact);
    expect(await rows()).toEqual([
      {
        id: expect.stringMatching(/^wdr_/),
        order_id: order,
        state: "acknowledged",
        name: "Mara Example",
        order_typed: "2026-000041",
        email: owner,
        declared_at: declaredAt,
        acknowledged_at: declaredAt,
        closed_at: null,
        declared_by: "anyone",
        contest_reason: null,
        time_zone: reader.timeZone,
      },
    ]);
  });

  test.each([
    [
      "signed in, to whatever address",
      { accountId: "acc_mara" as const, isOwn: false, email: "work@example.com" },
      "owner",
    ],
    ["by the order's id, which our emails carry", { number: order }, "mailbox"],
  ])("of the owner, %s, is shown in the timeline, and in place of the button", async (_, input, declaredBy) => {
    await declare(input);
    expect(await rows()).toMatchObject([{ order_id: order, declared_by: declaredBy }]);
    const { historyEvents, withdrawal } = (await shown()) ?? {};
    expect(historyEvents).toMatchObject([
      { kind: "withdrawal", declaredBy: "owner" },
      { kind: "emailed", about: "withdrawal" },
    ]);
    expect(withdrawal).toMatchObject({
      declared: { declaredAt: app.clock(), state: "declared", declaredBy },
      offer: null,
    });
  });

  test("of a stranger who knows number and address is a notice and one line of the history, and leaves the button", async () => {
    const { offer } = (await shown())?.withdrawal ?? {};
    expect(offer).toMatchObject({ totalMinor: 600 });
    await declare();
    // A visitor signed in to another account is a stranger, too.
    await declare({ accountId: "acc_nils", name: "Nils" });
    expect(await rows()).toMatchObject([{ declared_by: "anyone" }, { declared_by: "anyone" }]);
    const after = await shown();
    expect(after?.historyEvents).toMatchObject([{ kind: "withdrawal", declaredBy: "anyone" }]);
    expect(after?.withdrawal).toMatchObject({ declared: { declaredBy: "anyone" }, offer });
    // The owner declares in the same words that the stranger used.
    expect(await declare({ accountId: "acc_mara", isOwn: true })).toEqual({
      ok: true,
      value: { isNew: true, ownOrderId: expect.any(String) },
    });
    const own = await shown();
    expect(own?.withdrawal).toMatchObject({ declared: { declaredBy: "owner" }, offer: null });
    expect(own?.historyEvents).toMatchObject([{ kind: "withdrawal", declaredBy: "owner" }, { kind: "emailed" }]);
  });

  test.each([
    ["its number", "2026-000041", order],
    ["its number, as people write it", "#2026-41", order],
    ["its id", order, order],
    ["another number", "2026-000042", null],
    ["no number at all", "the monthly one", null],
  ])("that names the order by %s finds it, or is stored without one", async (_, number, found) => {
    expect(await declare({ number })).toMatchObject({ ok: true });
    expect(await rows()).toMatchObject([{ order_id: found, order_typed: number }]);
  });

  test("about another account's order isn't linked to that order", async () => {
    for (const email of ["nils@example.com", "nobody@example.com"]) await declare({ email });
    await declare({ email: "nils@example.com", number: order });
    expect((await rows()).map(({ order_id }) => order_id)).toEqual([null, null, null]);
    expect((await shown())?.historyEvents).toEqual([]);
  });
});

describe("the answer doesn't reveal whether an order exists", () => {
  test("a known and an unknown number, of an address with an account and one without, get the same answer with the same work, and one email", async () => {
    const seen = [];
    for (const number of ["2026-000041", "2026-000099", order, `${order.slice(0, -1)}0`]) {
      for (const email of [owner, "nils@example.com", "none@example.com"]) {
        await env.DB.exec("delete from quota_uses");
        app.emails.length = 0;
        const { statements, using } = watched(app);
        const answer = await declare({ number, email, using });
        const untilAnswer = statements.map(({ query }) => query);
        await app.settled();
        // An id and a number are looked up by different statements, each the same for all requests.
        seen.push({ kind: number.slice(0, 3), answer, untilAnswer, emails: app.emails.length });
      }
    }
    for (const kind of ["202", "ord"]) {
      const [first, ...others] = seen.filter((one) => one.kind === kind);
      expect(others).toHaveLength(5);
      expect(first).toMatchObject({ answer: { ok: true, value: { isNew: true } }, emails: 1 });
      expect(first?.untilAnswer.length).toBeGreaterThan(8);
      for (const other of others) expect(other).toEqual(first);
    }
  });
});

describe("text that a stranger types", () => {
  const typedText = { name: "Call back about your refund", number: "2026-000099" };

  test("isn't emailed to third parties: for another address's order, only that something was declared, and when", async () => {
    for (const input of [
      { ...typedText },
      { ...typedText, number: order },
      { ...typedText, number: "call 555 0100" },
    ]) {
      for (const email of ["nils@example.com", "none+visit-evil-com@example.com"]) {
        app.emails.length = 0;
        await env.DB.exec("delete from quota_uses");
        // In the zone of the address's account; without one in the seller's.
        const at = formatExactly(app.clock(), email.startsWith("nils") ? reader : product);
        expect(await declare({ ...input, email })).toEqual({ ok: true, value: { isNew: true, ownOrderId: null } });
        await app.settled();
        const [sentEmail] = app.emails;
        expect(sentEmail?.subject).toBe(emailOf({ template: "withdrawal-unmatched", declared: at }).subject);
        expect(sentEmail?.text).toContain(at);
        for (const typed of [input.name, input.number, email]) {
          expect(`${sentEmail?.subject} ${sentEmail?.text} ${sentEmail?.html}`).not.toContain(typed);
        }
      }
    }
    expect((await rows()).map(({ state, order_id }) => [state, order_id])).toEqual(
      Array.from({ length: 6 }, () => ["acknowledged", null]),
    );
  });

  test.each([
    ["to the owner of an order whose number was guessed", { number: "2026-41" }, "2026-000041"],
    [
      "to the owner of an order whose number was guessed, with an id that isn't its own",
      { number: "2026-41", ref: `${order.slice(0, -1)}0` },
      "2026-000041",
    ],
    [
      "to another address than the one that is signed in",
      { accountId: "acc_mara" as const, email: "work@example.com" },
      order,
    ],
  ])("isn't emailed %s, only which order it is about", async (_, input, named) => {
    await declare({ name: typedText.name, number: named, ...input });
    await app.settled();
    const { subject, before } = acknowledged(null, named);
    expect(app.emails).toMatchObject([{ subject }]);
    expect(app.emails[0]?.text).toMatch(fillGaps(before[0] ?? ""));
    expect(`${app.emails[0]?.text} ${app.emails[0]?.html}`).not.toContain(typedText.name);
  });

  test.each([
    ["the id from an email to that address", { number: order }],
    ["its number and the id from the link in an email", { number: "2026-000041", ref: order }],
    ["a session of that address", { isOwn: true }],
  ])("is emailed to an address that is confirmed by %s", async (_, input) => {
    await declare({ ...typedText, ...input });
    await app.settled();
    const { subject, before } = acknowledged({ name: typedText.name, email: owner });
    expect(app.emails).toMatchObject([{ subject }]);
    expect(app.emails[0]?.text).toMatch(fillGaps(before[0] ?? ""));
  });
});

describe("a repeated declaration", () => {
  test("within a day is one row and one email, also forty times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => declare()));
    expect(answers.filter((answer) => answer.ok && answer.value.isNew)).toHaveLength(1);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(40);
    app.pass(dayMs - 1);
    expect(await declare({ email: "MARA@example.com" })).toEqual({
      ok: true,
      value: { isNew: false, ownOrderId: null },
    });
    await app.settled();
    expect([(await rows()).length, app.emails.length]).toEqual([1, 1]);
    app.pass(1);
    expect(await declare()).toEqual({ ok: true, value: { isNew: true, ownOrderId: null } });
    await app.settled();
    expect([(await rows()).length, app.emails.length]).toEqual([2, 2]);
  });

  test("is a new one if it names another order or another name", async () => {
    await declare();
    expect(await declare({ number: "2026-000042" })).toEqual({ ok: true, value: { isNew: true, ownOrderId: null } });
    expect(await declare({ name: "M. Example" })).toEqual({ ok: true, value: { isNew: true, ownOrderId: null } });
    expect(await rows()).toHaveLength(3);
  });
});

describe("quotas of declarations", () => {
  const number = (nth: number) => `2026-${nth}`;

  test("store every declaration, from any network, whatever became of the emails before, each of which is sent in time", async () => {
    const all = await Promise.all(Array.from({ length: 40 }, (_, nth) => declare({ number: number(nth) })));
    for (const answer of all) expect(answer).toMatchObject({ ok: true, value: { isNew: true } });
    expect(await rows()).toHaveLength(40);
    await app.settled();
    expect(app.emails).toHaveLength(sendsPerHourMax);
    await cronJobs.emails(app);
    expect(app.emails).toHaveLength(sendsPerHourMax);
    for (let hour = 0; hour < 12; hour += 1) {
      app.pass(hourMs);
      await cronJobs.emails(app);
      await cronJobs.withdrawals(app);
    }
    expect(app.emails).toHaveLength(40);
    expect(await rows()).toEqual(all.map(() => expect.objectContaining({ state: "acknowledged" })));
  });

  test("refuse a network that floods the table, to any address, and no other network", async () => {
    const ip = ownNetwork();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => declare({ email: `n${nth}@example.com`, ip })),
    );
    expect(all.filter((answer) => answer.ok)).toHaveLength(sendsPerNetworkMax);
    const refusal = { ok: false, refusal: { reason: "too-many-from-network", retryAt: app.clock() + hourMs } };
    // The same /64, another machine in it.
    expect(await declare({ ip: ip.replace("::1", ":0:1:2:3:4") })).toEqual(refusal);
    expect(await rows()).toHaveLength(sendsPerNetworkMax);
    expect(await declare()).toMatchObject({ ok: true });
    app.pass(hourMs);
    expect(await declare({ ip, number: number(1) })).toMatchObject({ ok: true });
  });

  test("don't let strangers delay the confirmation of the account that is signed in with the address", async () => {
    for (let nth = 0; nth < sendsPerHourMax; nth += 1) await declare({ number: number(nth) });
    await app.settled();
    expect(await declare({ isOwn: true })).toEqual({
      ok: true,
      value: { isNew: true, ownOrderId: expect.any(String) },
    });
    await app.settled();
    expect(app.emails).toHaveLength(sendsPerHourMax + 1);
  });

  test("refuse too many requests before the database is read", async () => {
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: false };
    };
    const limited = testApp({ rateLimitOfForms: { limit } });
    expect(await declare({ using: limited, ip: "2001:db8:ffff:1:2:3:4:5" })).toEqual({
      ok: false,
      refusal: { reason: "too-many-from-network", retryAt: limited.clock() + minuteMs },
    });
    expect(keys).toEqual(["withdraw:2001:db8:ffff:1"]);
    expect(await rows()).toEqual([]);
  });

  test("aren't affected by a failing rate limiter, which is reported", async () => {
    const reported: unknown[] = [];
    const rateLimitOfForms = { limit: async () => Promise.reject(new Error("no answer")) };
    const using = testApp({ rateLimitOfForms, report: (error) => reported.push(error) });
    expect(await declare({ using })).toEqual({ ok: true, value: { isNew: true, ownOrderId: null } });
    expect(reported).toEqual([new Error("no answer")]);
  });
});

describe("while email is down", () => {
  test("a declaration is stored, and acknowledged by the cron job once its email is sent", async () => {
    app.isEmailDown = true;
    expect(await declare()).toMatchObject({ ok: true });
    await app.settled();
    await cronJobs.withdrawals(app);
    expect(await rows()).toMatchObject([{ state: "declared", acknowledged_at: null }]);
    app.isEmailDown = false;
    app.pass(5 * minuteMs);
    const leftAt = app.clock();
    await cronJobs.emails(app);
    app.pass(minuteMs);
    await Promise.all([cronJobs.withdrawals(app), cronJobs.withdrawals(app)]);
    expect(await rows()).toMatchObject([{ state: "acknowledged", acknowledged_at: leftAt }]);
    expect(app.emails).toHaveLength(1);
  });

  test("the delayed email contains the time of the declaration, not of the email", async () => {
    const declaredAt = app.clock();
    app.isEmailDown = true;
    await declare();
    await app.settled();
    app.isEmailDown = false;
    app.pass(5 * minuteMs);
    await cronJobs.emails(app);
    expect(app.emails[0]?.text).toContain(formatExactly(declaredAt, reader));
  });
});

describe("a refund", () => {
  test("completes the declarations about its order, once, and nothing else", async () => {
    await declare();
    await declare({ number: "2026-000042" });
    await app.settled();
    app.pass(dayMs);
    const closedAt = app.clock();
    await app.db.batch([closeWithdrawals(app.db, order, closedAt)]);
    app.pass(dayMs);
    await app.db.batch([closeWithdrawals(app.db, order, app.clock())]);
    const states = (await rows()).map(({ order_typed, state, closed_at }) => [order_typed, state, closed_at]);
    expect(states.toSorted()).toEqual([
      ["2026-000041", "refunded", closedAt],
      ["2026-000042", "acknowledged", null],
    ]);
  });

  test("leaves what an operator contested as it is", async () => {
    await declare();
    await app.settled();
    await env.DB.exec("update withdrawals set state = 'contested'");
    await app.db.batch([closeWithdrawals(app.db, order, app.clock())]);
    expect(await rows()).toMatchObject([{ state: "contested", closed_at: null }]);
  });

  test.each(["acknowledged", "declared"])("that the bank returns leaves it %s, as it was", async (before) => {
    app.isEmailDown = before === "declared";
    await declare();
    await app.settled();
    await app.db.batch([closeWithdrawals(app.db, order, app.clock()), reopenWithdrawals(app.db, order)]);
    expect(await rows()).toMatchObject([{ state: before, closed_at: null }]);
  });

  test("that the bank returns leaves the declarations about other orders completed", async () => {
    const other = "ord_1123456789abcdefghjkmnpqrs";
    await env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at,
         number_year, number_in_year, paid_at)
       values (?, 'acc_mara', 'paid', 'renewal', '${small.id}', 'month', 'EUR', 600, 0, 0, 2026, 42, ?)`,
    )
      .bind(other, app.clock())
      .run();
    await declare();
    await declare({ number: "2026-000042" });
    await app.settled();
    const now = app.clock();
    await app.db.batch([closeWithdrawals(app.db, order, now), closeWithdrawals(app.db, other, now)]);
    await app.db.batch([reopenWithdrawals(app.db, order)]);
    const states = (await rows()).map(({ order_id, state }) => [order_id, state]);
    expect(states.toSorted()).toEqual([
      [order, "acknowledged"],
      [other, "refunded"],
    ]);
  });
});

describe("a declaration that an operator doesn't accept", () => {
  const reason = "The 14 days ended on 4 November.";

  test("is emailed with the reason, once, and shown on the order, which can be withdrawn from again", async () => {
    await declare({ accountId: "acc_mara", isOwn: true });
    await app.settled();
    app.emails.length = 0;
    const [{ id } = { id: noWithdrawal }] = await rows();
    const answers = await Promise.all(Array.from({ length: 40 }, () => contestWithdrawal(app, id, reason)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    await app.settled();
    expect(app.emails).toMatchObject([{ to: owner, text: expect.stringContaining(reason) }]);
    expect(app.emails[0]?.text).toContain("2026-000041");
    const { historyEvents, withdrawal } = (await shown()) ?? {};
    expect(historyEvents?.at(-1)).toMatchObject({ kind: "emailed", about: "withdrawal-contested" });
    expect(withdrawal).toMatchObject({
      declared: { state: "contested", contestReason: reason },
      offer: { totalMinor: 600 },
    });
  });

  test("is emailed to the address in it if it isn't about an order", async () => {
    await declare({ email: "nobody@example.com", number: "2026-000099" });
    await app.settled();
    app.emails.length = 0;
    const [{ id } = { id: noWithdrawal }] = await rows();
    expect(await contestWithdrawal(app, id, reason)).toMatchObject({ ok: true, value: { to: "nobody@example.com" } });
    await app.settled();
    expect(app.emails).toMatchObject([{ to: "nobody@example.com", text: expect.stringContaining(reason) }]);
    expect(app.emails[0]?.text).not.toContain("/settings/orders");
  });

  test("stays open while nothing can be emailed, and the email follows", async () => {
    await declare();
    await app.settled();
    app.emails.length = 0;
    app.isEmailDown = true;
    const [{ id } = { id: noWithdrawal }] = await rows();
    await contestWithdrawal(app, id, reason);
    await app.settled();
    expect(await rows()).toMatchObject([{ state: "contested", contest_reason: reason }]);
    app.isEmailDown = false;
    app.pass(5 * minuteMs);
    await cronJobs.emails(app);
    expect(app.emails).toHaveLength(1);
  });
});

test("without a withdrawal period there is no page for it, no link to it, and no way to declare", async () => {
  const off = { ...app, product: { ...app.product, withdrawalDays: "off" as const } };
  const ask = (on: TestApp) => {
    const context = new RouterContextProvider(new Map<unknown, unknown>([[appContext, on]]) as never);
    context.set(sessionCookieContext, null);
    context.set(viewerContext, Promise.resolve(null));
    const url = new URL("https://foyer.example/withdraw");
    const request = new Request(url, { method: "POST", body: new URLSearchParams({ intent: "confirm" }) });
    // What the framework passes to a route, as far as these read it.
    return { context, url, request } as unknown as Parameters<typeof withdraw.loader>[0];
  };
  const missing = { init: { status: 404 } };
  await expect(withdraw.loader(ask(off))).rejects.toMatchObject(missing);
  await expect(withdraw.action(ask(off))).rejects.toMatchObject(missing);
  expect(await withdraw.loader(ask(app))).toMatchObject({ days: 14 });
  expect(await sitemap.loader(ask(off) as never).text()).not.toContain("/withdraw");
  expect(await sitemap.loader(ask(app) as never).text()).toContain("/withdraw</loc>");
});

describe("that a withdrawal or cancellation was sent", () => {
  /** The page's loader, in a browser with these cookies. */
  const open = async (page: typeof withdraw | typeof cancel, path: string, cookie: string | null) => {
    const context = new RouterContextProvider(new Map<unknown, unknown>([[appContext, app]]) as never);
    context.set(sessionCookieContext, null);
    context.set(viewerContext, Promise.resolve(null));
    const url = new URL(path, "https://foyer.example");
    const request = new Request(url, { headers: cookie === null ? {} : { Cookie: cookie } });
    // What the framework passes to a route, as far as these read it.
    return page.loader({ context, url, request } as never);
  };

  test.each(["/withdraw?declared", "/withdraw?declared=before"])("%s says to the browser that did it", async (path) => {
    expect(await open(withdraw, path, "__Host-withdrawn=1")).toMatchObject({
      declared: { own: null },
      isCookieless: false,
    });
    for (const cookie of [null, "__Host-entered=bWFyYUBleGFtcGxlLmNvbQ", "__Host-withdrawn="])
      expect(await open(withdraw, path, cookie)).toMatchObject({ declared: null, address: null, isCookieless: true });
  });

  test("/cancel?declared says to the browser that did it", async () => {
    const email = parseEmailAddress(owner);
    if (!email) throw new Error("Not an address");
    const input = {
      intent: "declare",
      kind: "ordinary",
      cause: "",
      name: "Mara",
      order: "1",
      email,
      endsOn: "",
    } as const;
    const declared = await declareCancellation(app, input, { ip: ownNetwork(), accountId: null, isOwn: false });
    const id = declared.ok ? declared.value.id : "";
    expect(await open(cancel, "/cancel?declared", `__Host-cancelled=${id}`)).toMatchObject({
      declared: { address: owner },
      isCookieless: false,
    });
    for (const cookie of [null, "__Host-cancelled=ccl_unknown"])
      expect(await open(cancel, "/cancel?declared", cookie)).toMatchObject({ declared: null, isCookieless: true });
    app.pass(declarationShownMs);
    expect(await open(cancel, "/cancel?declared", `__Host-cancelled=${id}`)).toMatchObject({ declared: null });
  });
});

test("declarations are deleted after their retention period, exact to the millisecond", async () => {
  await declare();
  await app.settled();
  app.pass(withdrawalRetentionMs);
  await cronJobs.withdrawals(app);
  expect(await rows()).toHaveLength(1);
  app.pass(1);
  await cronJobs.withdrawals(app);
  expect(await rows()).toEqual([]);
});

test("no statement scans a whole table", async () => {
  const { statements, using } = watched(app);
  await declare({ using });
  await declare({ using, number: order });
  await cronJobs.withdrawals(using);
  await using.db.batch([closeWithdrawals(using.db, order, 0), reopenWithdrawals(using.db, order)]);
  await app.settled();
  expect(statements.length).toBeGreaterThan(20);
  expect(await wholeReads(statements)).toEqual([]);
});
