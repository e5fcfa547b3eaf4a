import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { idOf } from "#tests/support/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayMs, formatExactly, hourMs, minuteMs } from "#app/core/time/time.ts";
import { mailboxQuota, sendsPerHourMax } from "#app/modules/codes/email-quotas.rules.ts";
import { addUse } from "#app/modules/codes/quota-uses.queries.server.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { waitingPerMailboxMax } from "#app/modules/cancellations/cancellations.rules.ts";
import { answerCancellation } from "#app/modules/cancellations/commands/answer-cancellation.server.ts";
import { declareCancellation } from "#app/modules/cancellations/commands/declare-cancellation.server.ts";
import { sweepCancellations } from "#app/modules/cancellations/commands/sweep-cancellations.server.ts";
import { undoCancellations } from "#app/modules/cancellations/commands/undo-cancellations.server.ts";
import { listCancellationsToDo } from "#app/modules/cancellations/queries.server.ts";
import { changeCancellation } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { type BillingHarness, openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { orders } from "#tests/support/billing/contracts.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

beforeEach(async () => {
  await emptyTables("cancellations", "quota_uses");
});

let networks = 0;
const ownNetwork = () => `2001:db8:9:${(networks += 1).toString(16)}::1`;

type Input = {
  email?: string;
  order?: string;
  kind?: "ordinary" | "extraordinary";
  endsOn?: string;
  accountId?: AccountId;
  isOwn?: boolean;
};

async function subscriber() {
  const harness = await openBillingHarness();
  await harness.buy(small.id, "month");
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

async function declare({ app }: { app: TestApp }, input: Input & { email: string; order: string }) {
  const email = parseEmailAddress(input.email);
  if (!email) throw new Error("Not an address");
  const { order, kind = "ordinary", endsOn = "", accountId = null, isOwn = false } = input;
  const cause = kind === "extraordinary" ? "It lost my files" : "";
  const fields = { intent: "declare", kind, cause, name: "Mara Example", order, email, endsOn } as const;
  const declared = await declareCancellation(app, fields, { ip: ownNetwork(), accountId, isOwn });
  await app.settled();
  if (!declared.ok) throw new Error(declared.refusal.reason);
  return declared.value.id;
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
        { state: "done", account_id: harness.accountId, order_id: found.id, confirm_at: null, next_try_at: null },
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

describe("the confirmation", () => {
  test("waits for the quotas of emails, while the declaration is stored and carried out, and leaves room for codes", async () => {
    const app = testApp();
    const { stranger } = await codeQuotas(app.pepper, "mara@example.com", "");
    const { name } = mailboxQuota(stranger.emails);
    for (let use = 0; use < sendsPerHourMax; use += 1) {
      await addUse(app.db, { id: idOf("use", `use_${use}`), quota: name, now: app.clock() }, sql`true`);
    }
    for (const order of ["2026-000001", "2026-000002", "2026-000003"]) {
      await declare({ app }, { email: "mara@example.com", order });
    }
    expect(await rows()).toMatchObject([{ state: "unmatched" }, { state: "unmatched" }, { state: "unmatched" }]);
    expect(app.emails).toEqual([]);
    app.pass(2 * minuteMs);
    await sweepCancellations(app);
    expect(app.emails).toEqual([]);
    app.pass(hourMs);
    await sweepCancellations(app);
    await app.settled();
    expect(app.emails).toHaveLength(waitingPerMailboxMax);
    app.pass(hourMs + minuteMs);
    await sweepCancellations(app);
    await app.settled();
    expect(app.emails).toHaveLength(3);
    expect(new Set(app.emails.map(({ text }) => /2026-00000\d/.exec(text)?.[0])).size).toBe(3);
    expect((await rows()).map((row) => [row["confirm_at"], row["confirm_quotas"]])).toEqual(
      Array.from({ length: 3 }, () => [null, null]),
    );
  });
});
