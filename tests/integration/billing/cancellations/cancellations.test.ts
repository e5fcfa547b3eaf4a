import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { idOf } from "#tests/support/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dayOf, spellDay, startOfDay } from "#app/core/time/calendar.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { guardFirstWrite } from "#app/db/guard-writes.server.ts";
import { dayMs, formatDay, formatExactly, hourMs, minuteMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { sendsPerHourMax, sendsPerNetworkMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { releaseWaitingEmails } from "#app/modules/accounts/codes/commands/release-waiting-emails.server.ts";
import { answerCancellation } from "#app/modules/billing/cancellations/commands/answer-cancellation.server.ts";
import { declareCancellation } from "#app/modules/billing/cancellations/commands/declare-cancellation.server.ts";
import { matchToOrder } from "#app/modules/billing/cancellations/commands/match-cancellation.server.ts";
import { sweepCancellations } from "#app/modules/billing/cancellations/commands/sweep-cancellations.server.ts";
import { keepPlan, undoCancellations } from "#app/modules/billing/cancellations/commands/undo-cancellations.server.ts";
import { listOwnCancellations } from "#app/modules/billing/cancellations/personal-data.queries.server.ts";
import { leaseCancellation } from "#app/modules/billing/cancellations/queries.server.ts";
import { listCancellationsToDo } from "#app/modules/billing/cancellations/everyone.queries.server.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { showPerson } from "#app/modules/operators/reads/show-person.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { endOfPeriod } from "#app/modules/billing/subscriptions/periods.rules.ts";
import { changeCancellation } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { product } from "#app/product/config.ts";
import { readOwn } from "#app/routes/cancel/reads.server.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { orders } from "#tests/support/billing/contracts.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

beforeEach(async () => {
  await emptyTables("cancellations", "quota_uses", "waiting_emails");
});

let networks = 0;
const ownNetwork = () => `2001:db8:${(networks += 1).toString(16)}::1`;

type Input = {
  email?: string;
  order?: string;
  kind?: "ordinary" | "extraordinary";
  endsOn?: string;
  accountId?: AccountId;
  isOwn?: boolean;
  ip?: string;
};

async function subscriber(interval: Interval = "month", sold?: ProductConfig) {
  const harness = await openBillingHarness(sold);
  await harness.buy(small.id, interval);
  await harness.reconcile();
  const [order] = await orders(harness);
  const number = await env.DB.prepare(
    "select printf('%d-%06d', number_year, number_in_year) as number from orders where id = ?",
  )
    .bind(order?.id ?? "")
    .first<string>("number");
  const own = (await harness.account()).email;
  await harness.app.settled();
  await env.DB.exec("delete from emails");
  harness.app.emails.length = 0;
  return { harness, number: number ?? "", own, id: order?.id ?? "" };
}

/** With what the cron job does next, unless it doesn't run yet. */
async function declare(
  { app }: { app: TestApp },
  { isCarriedOut = true, ...input }: Input & { email: string; order: string; isCarriedOut?: boolean },
) {
  const declared = await send(app, input);
  await app.settled();
  if (!declared.ok) throw new Error(declared.refusal.reason);
  if (isCarriedOut) await sweepCancellations(app);
  await app.settled();
  return declared.value.id;
}

async function send(app: TestApp, input: Input & { email: string; order: string }) {
  const email = parseEmailAddress(input.email);
  if (!email) throw new Error("Not an address");
  const { order, kind = "ordinary", endsOn = "", accountId = null, isOwn = false, ip = ownNetwork() } = input;
  const cause = kind === "extraordinary" ? "It lost my files" : "";
  const fields = { intent: "declare", kind, cause, name: "Mara Example", order, email, endsOn } as const;
  return declareCancellation(app, fields, { ip, accountId, isOwn });
}

type Row = Record<string, string | number | null>;
const rows = async () =>
  (await env.DB.prepare("select * from cancellations order by declared_at, id").all<Row>()).results;
const running = ({ app, accountId }: BillingHarness) => findRunningSubscription(app.db, accountId);

describe("a declared cancellation", () => {
  test.each([
    ["number", ({ number }: { number: string; id: string }) => number],
    ["id", ({ id }: { number: string; id: string }) => id],
  ])(
    "by the address of the account and the %s of an order ends the plan with its period, and can be undone",
    async (_, orderOf) => {
      const found = await subscriber();
      const { harness, own } = found;
      const { app } = harness;
      const declaredAt = app.clock();
      await declare(harness, { email: own.toUpperCase(), order: orderOf(found) });
      const plan = await running(harness);
      expect(plan?.cancelsAt).toBe(plan?.periodEndsAt);
      expect(await rows()).toMatchObject([
        { state: "done", account_id: harness.accountId, order_id: found.id, next_try_at: null },
      ]);
      // The address that was given, and the account's own.
      expect(app.emails.map(({ to }) => to.toLowerCase())).toEqual([own, own]);
      expect(app.emails[0]?.text).toContain(formatExactly(declaredAt, app.product).slice(0, 20));
      const kept = await changeCancellation(app, await harness.account(), "resume");
      await undoCancellations(app, harness.accountId);
      expect([kept.ok, (await running(harness))?.cancelsAt]).toEqual([true, null]);
      expect(await rows()).toMatchObject([{ state: "undone" }]);
      await sweepCancellations(app);
      expect((await running(harness))?.cancelsAt).toBeNull();
    },
  );

  test.each([
    ["another address", { email: "someone@example.com" }],
    ["a number of no order", { order: "2026-999999" }],
    ["the plan's name", { order: "The small plan" }],
  ])(
    "with %s is stored and confirmed in the same way, ends nothing, and is listed for operators",
    async (_, changed) => {
      const { harness, number, own } = await subscriber();
      const { app } = harness;
      const id = await declare(harness, { email: own, order: number, ...changed });
      expect((await running(harness))?.cancelsAt).toBeNull();
      expect(await rows()).toMatchObject([{ id, state: "unmatched", account_id: null, order_id: null }]);
      expect(await listCancellationsToDo(app.db, null, 10)).toMatchObject([{ id }]);
      expect(app.emails).toHaveLength(1);
      expect(await answerCancellation(app, id, "We found your contract.")).toMatchObject({ ok: true });
      expect(await answerCancellation(app, id, "Again.")).toMatchObject({ ok: false });
      await app.settled();
      expect(app.emails.at(-1)?.text).toContain("We found your contract.");
      expect(await listCancellationsToDo(app.db, null, 10)).toEqual([]);
    },
  );

  test("with a former address and the right number is shown with the account that the order belongs to", async () => {
    const { harness, number } = await subscriber();
    const { app } = harness;
    const id = await declare(harness, { email: "former@example.com", order: `# ${number}` });
    await declare(harness, { email: "former@example.com", order: "2026-999999" });
    const found = await showPerson(app, { id: harness.accountId, address: null });
    expect(found).toMatchObject({ cancellations: [{ id, state: "unmatched", todo: expect.any(String) }] });
    expect(JSON.stringify(found)).toContain(`cancellation ${id}`);
    expect(await listOwnCancellations(app.db, harness.accountId)).toEqual([]);
  });

  test("gets the same confirmation and answer whether it matches or not", async () => {
    const { harness, number, own } = await subscriber();
    const confirmed = async (email: string, order: string) => {
      await emptyTables("cancellations", "quota_uses", "emails");
      harness.app.emails.length = 0;
      await declare(harness, { email, order });
      const [first] = harness.app.emails;
      const times = /\d\d:\d\d:\d\d/g;
      return { subject: first?.subject, text: first?.text.replaceAll(times, "").replaceAll(order, "NUMBER") };
    };
    const matched = await confirmed(own, number);
    expect(await confirmed("nobody@example.com", number)).toEqual(matched);
    expect(await confirmed(own, "2026-888888")).toEqual(matched);
  });

  test("makes the request do nothing that another wouldn't: the plan is left to the cron job", async () => {
    const { harness, number, own } = await subscriber();
    const calls = async () => (await harness.stripe.events.list({ limit: 100 })).data.length;
    const before = await calls();
    await declare(harness, { email: own, order: number, isCarriedOut: false });
    expect([await rows(), (await running(harness))?.cancelsAt, await calls()]).toMatchObject([
      [{ state: "open", tries: 0 }],
      null,
      before,
    ]);
    await sweepCancellations(harness.app);
    expect(await rows()).toMatchObject([{ state: "done" }]);
  });

  test("by the signed-in owner ends the plan whichever address gets the confirmation, and tells the account's own", async () => {
    const { harness, number, own } = await subscriber();
    await declare(harness, { email: "work@example.com", order: number, accountId: harness.accountId });
    expect(await rows()).toMatchObject([{ state: "done", declared_by: "owner" }]);
    expect(harness.app.emails.map(({ to }) => to)).toEqual(["work@example.com", own]);
  });

  test("repeats nothing that a stranger typed, except the order's number", async () => {
    const { harness, own } = await subscriber();
    await declare(harness, { email: own, order: "Call 0900 123", kind: "extraordinary" });
    const [sent] = harness.app.emails;
    for (const typed of ["0900", "Mara Example", "lost my files"]) expect(sent?.text).not.toContain(typed);
  });

  test("for good cause ends the plan with its period, and an operator decides about more", async () => {
    const { harness, number, own } = await subscriber();
    const id = await declare(harness, { email: own, order: number, kind: "extraordinary" });
    expect((await running(harness))?.cancelsAt).not.toBeNull();
    expect(await listCancellationsToDo(harness.app.db, null, 10)).toMatchObject([{ id, reason: "It lost my files" }]);
  });

  test("to a later day ends the plan with the period in which that day is, and can be taken back until then", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    const plan = await running(harness);
    const endsOn = new Date((plan?.periodEndsAt ?? 0) + 3 * dayMs).toISOString().slice(0, 10);
    await declare(harness, { email: own, order: number, endsOn });
    expect([(await rows())[0]?.["state"], (await running(harness))?.cancelsAt]).toEqual(["open", null]);
    expect((await showPlan(app, harness.accountId)).declaredEnd).toMatchObject({ endsOn });
    // The account's own address is told, once.
    expect(app.emails.map(({ to }) => to)).toEqual([own, own]);
    await harness.pass(2);
    await sweepCancellations(app);
    await app.settled();
    expect([(await running(harness))?.cancelsAt, app.emails.length]).toEqual([null, 2]);
    await harness.pass(31);
    await harness.reconcile();
    await sweepCancellations(app);
    const next = await running(harness);
    expect(next?.cancelsAt).toBe(next?.periodEndsAt);
    expect(await rows()).toMatchObject([{ state: "done" }]);
  });

  test("however often it is declared tells its owner once a day, and again after the plan was kept", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    const endsOn = spellDay(dayOf(app.clock() + 40 * dayMs, product.timeZone));
    const told = async () => {
      await app.settled();
      return (await harness.rows()).emails.filter(({ template }) => template === "cancellation-outcome").length;
    };
    const three = async (day: string) => {
      for (let nth = 0; nth < 3; nth += 1) await declare(harness, { email: own, order: number, endsOn: day });
      return told();
    };
    expect(await three(endsOn)).toBe(1);
    await harness.pass(1);
    // Those of the day before aren't told again, although they are looked at.
    expect(await three(endsOn)).toBe(2);
    await keepPlan(app, await harness.account());
    expect(await three(endsOn)).toBe(3);
    await keepPlan(app, await harness.account());
    expect(await three(endsOn)).toBe(4);
    await changeCancellation(app, await harness.account(), "cancel");
    // That it was cancelled before is another outcome.
    expect(await three("")).toBe(5);
  });

  test("that its owner takes back is undone at Stripe as well if the plan was cancelled meanwhile", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    const endsOn = spellDay(dayOf(app.clock() + 40 * dayMs, product.timeZone));
    await declare(harness, { email: own, order: number, endsOn });
    await changeCancellation(app, await harness.account(), "cancel");
    expect(await keepPlan(app, await harness.account())).toMatchObject({ ok: true });
    await harness.reconcile();
    expect([(await running(harness))?.cancelsAt, await rows()]).toMatchObject([null, [{ state: "undone" }]]);
    // Without a plan there is nothing to keep.
    await harness.stripe.subscriptions.cancel((await running(harness))?.id ?? "");
    await harness.reconcile();
    expect(await keepPlan(app, await harness.account())).toMatchObject({ ok: false });
  });

  test("that its owner takes back while Stripe is asked leaves the plan as it was", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    await declare(harness, { email: own, order: number, isCarriedOut: false });
    const payments = {
      ...harness.payments,
      changeCancellation: async (...input: Parameters<typeof harness.payments.changeCancellation>) => {
        if (input[1] === true) await keepPlan(app, await harness.account());
        return harness.payments.changeCancellation(...input);
      },
    };
    await sweepCancellations({ ...app, payments });
    await harness.reconcile();
    expect([(await running(harness))?.cancelsAt, await rows()]).toMatchObject([null, [{ state: "undone" }]]);
  });

  test("of a renewed year to a later day ends it after that day", async () => {
    const sold = { ...product, afterFirstTerm: "month-notice" } as const;
    const { harness, number, own } = await subscriber("year", sold);
    await harness.pass(366);
    await harness.reconcile();
    const wanted = dayOf(harness.app.clock() + 100 * dayMs, sold.timeZone);
    await declare(harness, { email: own, order: number, endsOn: spellDay(wanted) });
    const end = startOfDay({ ...wanted, day: wanted.day + 1 }, sold.timeZone);
    expect(await running(harness)).toMatchObject({ cancelsAt: end, endsByNotice: true });
  });

  const monthNotice = { ...product, afterFirstTerm: "month-notice" } as const;
  /** Days from one moment to another, the second of which may be absent. */
  const daysBetween = (from: number, to: number | null | undefined) => ((to ?? 0) - from) / dayMs;

  test("ends a renewed year a month after it was declared, also if Stripe answers days later", async () => {
    const { harness, number, own } = await subscriber("year", monthNotice);
    await harness.pass(366);
    await harness.reconcile();
    const declaredAt = harness.app.clock();
    await declare(harness, { email: own, order: number, isCarriedOut: false });
    await harness.pass(5);
    await sweepCancellations(harness.app);
    const plan = await running(harness);
    expect(plan?.endsByNotice).toBe(true);
    expect(Math.abs(daysBetween(endOfPeriod(declaredAt, "month"), plan?.cancelsAt))).toBeLessThan(0.01);
  });

  test("for a day soon after the first year ends a renewed year then, since its notice was in time", async () => {
    const { harness, number, own } = await subscriber("year", monthNotice);
    await harness.pass(300);
    await harness.reconcile();
    const { periodEndsAt = 0 } = (await running(harness)) ?? {};
    const wanted = dayOf(periodEndsAt + 3 * dayMs, monthNotice.timeZone);
    await declare(harness, { email: own, order: number, endsOn: spellDay(wanted) });
    await harness.pass(66.5);
    await harness.reconcile();
    await sweepCancellations(harness.app);
    const end = startOfDay({ ...wanted, day: wanted.day + 1 }, monthNotice.timeZone);
    expect(await running(harness)).toMatchObject({ cancelsAt: end, endsByNotice: true });
  });

  test("ends a plan earlier that was cancelled to a later day, and says so", async () => {
    const { harness, number, own } = await subscriber("year", monthNotice);
    await harness.pass(366);
    await harness.reconcile();
    const later = spellDay(dayOf(harness.app.clock() + 200 * dayMs, monthNotice.timeZone));
    await declare(harness, { email: own, order: number, endsOn: later });
    await harness.pass(1);
    harness.app.emails.length = 0;
    await declare(harness, { email: own, order: number });
    const plan = await running(harness);
    expect(daysBetween(harness.app.clock(), plan?.cancelsAt)).toBeLessThan(32);
    const day = formatDay(plan?.cancelsAt ?? 0, await harness.account());
    expect(harness.app.emails.filter(({ text }) => text.includes(day))).toHaveLength(1);
  });

  test.each([
    ["much later by the team", "month", 400],
    ["with its year by the team", "year", null],
  ] as const)("ends a plan earlier that was cancelled %s", async (_, interval, inDays) => {
    const { harness, number, own } = await subscriber(interval, monthNotice);
    if (interval === "year") await harness.pass(366);
    await harness.reconcile();
    const at = harness.app.clock();
    const end =
      inDays === null ? { cancel_at_period_end: true } : { cancel_at: Math.floor(at / 1000) + inDays * 86_400 };
    const { id = "" } = (await running(harness)) ?? {};
    await harness.stripe.subscriptions.update(id, { ...end, proration_behavior: "none" });
    await harness.reconcile();
    await declare(harness, { email: own, order: number });
    const plan = await running(harness);
    expect(plan?.cancelsAt).toBeLessThanOrEqual(interval === "year" ? at + 32 * dayMs : (plan?.periodEndsAt ?? 0));
  });

  test("that matched nothing ends the plan of the order that an operator names, with the notice of its day, and once", async () => {
    const { harness, number } = await subscriber("year", monthNotice);
    await harness.pass(366);
    await harness.reconcile();
    const { app } = harness;
    const declaredAt = app.clock();
    const id = await declare(harness, { email: "former@example.com", order: number });
    await harness.pass(3);
    for (const [reason, refusal] of [
      ["her former address", "no-such-order"],
      ["2019-000001, a guess", "no-such-order"],
    ] as const)
      expect(await matchToOrder(app, id, reason)).toMatchObject({ ok: false, refusal: { reason: refusal } });
    expect((await running(harness))?.cancelsAt).toBeNull();
    expect(await matchToOrder(app, id, `${number}, her former address`)).toMatchObject({ ok: true });
    await sweepCancellations(app);
    const plan = await running(harness);
    expect(Math.abs(daysBetween(endOfPeriod(declaredAt, "month"), plan?.cancelsAt))).toBeLessThan(0.01);
    expect(await matchToOrder(app, id, number)).toMatchObject({
      ok: false,
      refusal: { reason: "cancellation-closed" },
    });
    expect(await listCancellationsToDo(app.db, null, 10)).toEqual([]);
  });

  test("that matched nothing isn't matched with the order of an account that was erased", async () => {
    const { harness, number } = await subscriber();
    const id = await declare(harness, { email: "former@example.com", order: number });
    await env.DB.prepare("update accounts set state = 'erased' where id = ?").bind(harness.accountId).run();
    expect(await matchToOrder(harness.app, id, number)).toMatchObject({
      ok: false,
      refusal: { reason: "no-such-order" },
    });
  });

  test("is tried again with growing waits, which begin when its day has come", async () => {
    const { harness, number, own } = await subscriber();
    const endsOn = spellDay(dayOf(harness.app.clock() + 40 * dayMs, product.timeZone));
    const id = await declare(harness, { email: own, order: number, endsOn });
    const waits: number[] = [];
    let at = harness.app.clock() + dayMs;
    for (let times = 0; times < 11; times += 1) {
      const [leased] = await leaseCancellation(harness.app.db, id, at);
      waits.push(((leased?.nextTryAt ?? 0) - at) / minuteMs);
      at = leased?.nextTryAt ?? 0;
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 720, 720]);
  });

  test("is stored until it is carried out, however late that is", async () => {
    const { harness, number, own } = await subscriber("year", { ...product, afterFirstTerm: "another-term" });
    const endsOn = spellDay(dayOf(harness.app.clock() + 3 * 366 * dayMs + 20 * dayMs, product.timeZone));
    await declare(harness, { email: own, order: number, endsOn });
    for (let times = 0; times < 4; times += 1) {
      await harness.pass(280);
      await harness.reconcile();
      await sweepCancellations(harness.app);
    }
    expect(await rows()).toHaveLength(1);
  });

  test("that an operator has answered is carried out all the same, and is listed while that fails", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    const plan = await running(harness);
    const endsOn = new Date((plan?.periodEndsAt ?? 0) + 3 * dayMs).toISOString().slice(0, 10);
    const id = await declare(harness, { email: own, order: number, endsOn, kind: "extraordinary" });
    expect(await answerCancellation(app, id, "It ends with its period.")).toMatchObject({ ok: true });
    expect(await listCancellationsToDo(app.db, null, 10)).toEqual([]);
    await harness.pass(33);
    await harness.reconcile();
    await harness.control("disorder", { apiFault: { kind: "500", next: 20 } });
    await sweepCancellations(app);
    expect(await listCancellationsToDo(app.db, null, 10)).toMatchObject([{ id, failure: expect.any(String) }]);
    await harness.control("disorder", {});
    await harness.pass(1);
    await sweepCancellations(app);
    const next = await running(harness);
    expect(next?.cancelsAt).toBe(next?.periodEndsAt);
    expect(await listCancellationsToDo(app.db, null, 10)).toEqual([]);
  });

  const owed = async (harness: BillingHarness) => {
    await harness.useCard("pm_card_chargeCustomerFail");
    await harness.pass(31.5);
  };
  const disputed = async (harness: BillingHarness, id: OrderId) => {
    await harness.pass(27);
    await harness.reconcile();
    await harness.control("dispute", { order: id });
  };
  test.each([
    ["is overdue", "month", "past-due-grace", owed],
    ["is paused because of a dispute", "year", "paused", disputed],
  ] as const)(
    "ends a plan that %s with its period as well, and can be undone, since anyone may have declared it",
    async (_, interval, state, happen) => {
      const { harness, number, own, id } = await subscriber(interval, { ...product, duringDispute: "pause" });
      await happen(harness, idOf("ord", id));
      await harness.reconcile();
      const before = await running(harness);
      expect(before).toMatchObject({ state, cancelsAt: null });
      const endsOn = new Date(harness.app.clock() + 10 * dayMs).toISOString().slice(0, 10);
      await declare(harness, { email: own, order: number, endsOn });
      expect(await running(harness)).toMatchObject({ state, cancelsAt: before?.periodEndsAt });
      expect(await changeCancellation(harness.app, await harness.account(), "resume")).toMatchObject({ ok: true });
      await harness.reconcile();
      expect(await running(harness)).toMatchObject({ state, cancelsAt: null });
    },
  );

  test("of an overdue plan ends it without a debt", async () => {
    const { harness, number, own } = await subscriber();
    await owed(harness);
    await harness.reconcile();
    await declare(harness, { email: own, order: number });
    await harness.pass(31);
    await harness.reconcile();
    expect(await running(harness)).toBeNull();
    expect((await harness.record()).invoices.filter(({ state }) => state === "open")).toEqual([]);
    expect((await orders(harness)).map(({ state }) => state)).toEqual(["paid", "cancelled"]);
  });

  test("is told to the plan's owner, shown on the plan's page, and can be taken back while Stripe doesn't answer", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    await harness.control("disorder", { apiFault: { kind: "500", next: 20 } });
    await declare(harness, { email: own, order: number });
    expect((await harness.rows()).emails.map(({ template }) => template)).toContain("cancellation-outcome");
    const shown = async () => (await showPlan(app, harness.accountId)).declaredEnd;
    expect(await shown()).toMatchObject({ endsOn: null });
    await harness.control("disorder", {});
    expect(await keepPlan(app, await harness.account())).toMatchObject({ ok: true });
    expect(await shown()).toBeNull();
    await harness.pass(1);
    await sweepCancellations(app);
    expect((await running(harness))?.cancelsAt).toBeNull();
  });

  test("waits while Stripe doesn't answer, is listed meanwhile, and ends the plan once it does", async () => {
    const { harness, number, own } = await subscriber();
    const { app } = harness;
    await harness.control("disorder", { apiFault: { kind: "500", next: 20 } });
    const id = await declare(harness, { email: own, order: number });
    expect(await rows()).toMatchObject([{ state: "open", failure: expect.any(String) }]);
    expect(await listCancellationsToDo(app.db, null, 10)).toMatchObject([{ id, state: "open" }]);
    await harness.control("disorder", {});
    await harness.pass(1);
    await sweepCancellations(app);
    const plan = await running(harness);
    expect(plan?.cancelsAt).toBe(plan?.periodEndsAt);
    expect(await listCancellationsToDo(app.db, null, 10)).toEqual([]);
  });

  test("about a plan that has ended changes nothing and says so to the account's own address", async () => {
    const { harness, number, own } = await subscriber();
    await changeCancellation(harness.app, await harness.account(), "cancel");
    await harness.pass(40);
    await harness.reconcile();
    await harness.app.settled();
    harness.app.emails.length = 0;
    await declare(harness, { email: own, order: number });
    expect(await rows()).toMatchObject([{ state: "done" }]);
    expect(harness.app.emails).toHaveLength(2);
  });
});

test("isn't taken back by a form whose session has ended, which is sent to sign-in", async () => {
  const { harness, number, own } = await subscriber();
  await declare(harness, { email: own, order: number });
  const toSignIn = new Response(null, { status: 303 });
  const db = openDatabase(guardFirstWrite(env.DB, { condition: sql`0`, refusal: () => toSignIn }));
  await expect(undoCancellations({ ...harness.app, db }, harness.accountId)).rejects.toBe(toSignIn);
  expect(await rows()).toMatchObject([{ state: "done" }]);
});

test("a signed-in owner finds the number of the newest order that was paid", async () => {
  const { harness, number } = await subscriber();
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
     values ('ord_failed', ?1, 'failed', 'new-plan', '${small.id}', 'month', 'EUR', 600, ?2, ?2)`,
  )
    .bind(harness.accountId, harness.app.clock() + dayMs)
    .run();
  expect(await readOwn(harness.app, harness.accountId)).toMatchObject({ order: number });
});

describe("a declaration", () => {
  const number = (nth: number) => `2026-${String(nth).padStart(6, "0")}`;

  test("is stored whatever was declared before, and its confirmation waits for quotas of emails that aren't those of codes", async () => {
    const app = testApp();
    const count = 2 * sendsPerHourMax;
    for (let nth = 0; nth < count; nth += 1)
      await declare({ app }, { email: "mara@example.com", order: number(nth), ip: `198.51.100.${nth}` });
    expect(await rows()).toHaveLength(count);
    await app.settled();
    expect(app.emails).toHaveLength(sendsPerHourMax);
    const code = new CodeDriver(app, "mara@example.com");
    expect(await code.ask({ purpose: "sign-in" })).toMatchObject({ ok: true });
    await app.settled();
    app.pass(hourMs + minuteMs);
    app.emails.length = 0;
    await releaseWaitingEmails(app);
    await deliverDueEmails(app);
    expect(app.emails).toHaveLength(count - sendsPerHourMax);
  });

  test("whose confirmation waits for what all strangers have is reported, once", async () => {
    const reports: unknown[] = [];
    const app = testApp({
      product: { ...product, emailLimits: { strangersPerHour: 1 } },
      report: (error) => reports.push(error),
    });
    for (let nth = 0; nth < 3; nth += 1) await declare({ app }, { email: `n${nth}@example.com`, order: number(nth) });
    expect(reports).toHaveLength(1);
  });

  test("is refused only to a network that floods the table, forty at once too, and to no other", async () => {
    const app = testApp();
    const input = { email: "mara@example.com", ip: "203.0.113.7" };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => send(app, { ...input, order: number(nth) })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(sendsPerNetworkMax);
    const refusal = { ok: false, refusal: { reason: "too-many-from-network", retryAt: app.clock() + hourMs } };
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toEqual(refusal);
    expect(await rows()).toHaveLength(sendsPerNetworkMax);
    expect(await send(app, { ...input, order: number(41), ip: "203.0.113.8" })).toMatchObject({ ok: true });
  });
});
