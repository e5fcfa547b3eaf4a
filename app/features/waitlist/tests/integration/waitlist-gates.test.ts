import { type AccountId, noAccount, noRequest } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { checkAdmission, showInvitation } from "../../reads/show-invitation.server.ts";
import { invitationLifeMs, reminderBeforeMs } from "../../invitations.rules.ts";
import { inviteNext } from "../../commands/invite-next.server.ts";
import { joinEntries } from "../../commands/join-entries.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { sweepWaitlist } from "../../commands/sweep-waitlist.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import { large, small } from "#tests/support/billing/catalogue.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(async () => {
  await emptyTables("entries", "emails");
});

function queueFor(gate: string): void {
  waitlist = new WaitlistDriver(gate);
  ({ app } = waitlist);
}

const at = (gate: Gate): TestApp => ({ ...app, gate });

function addressOf(text: string) {
  const address = parseEmailAddress(text);
  if (!address) throw new Error("not an address");
  return address;
}

const forty = Array.from({ length: 40 }, (_, number) => number);
let people = 0;
/** No account has had this address. */
const fresh = () => `fresh-${(people += 1)}@example.com`;

/** Waiting since yesterday, and invited. */
async function invite(email: string): Promise<string> {
  const token = await waitlist.waiting(email);
  await inviteNext(app, 1);
  return token;
}

describe("the gate of sign-up", () => {
  beforeEach(() => queueFor("signup"));

  test("sends no code without an invitation, and with one only to its address", async () => {
    const email = fresh();
    const other = fresh();
    const token = await invite(email);
    expect(await checkAdmission(app, undefined, addressOf(email))).toMatchObject({
      refusal: { reason: "by-invitation" },
    });
    expect(await checkAdmission(app, "x".repeat(52), addressOf(email))).toMatchObject({
      refusal: { reason: "by-invitation" },
    });
    expect(await checkAdmission(app, token, addressOf(other))).toMatchObject({
      refusal: { reason: "invitation-elsewhere" },
    });
    const [entry] = await waitlist.rows();
    const admitted = { ok: true, value: { entryId: entry?.id } };
    expect(await checkAdmission(app, token, addressOf(email.toUpperCase()))).toEqual(admitted);
    expect(await showInvitation(app, token)).toMatchObject({ verdict: "open", address: email });
    app.pass(invitationLifeMs);
    expect(await checkAdmission(app, token, addressOf(email))).toMatchObject({
      refusal: { reason: "invitation-over" },
    });
    expect(await showInvitation(app, token)).toMatchObject({ verdict: "over", address: "" });
    expect(await showInvitation(app, "x".repeat(52))).toMatchObject({ verdict: "unknown" });
    // No invitation is needed if sign-up is open.
    expect(await checkAdmission(at({ kind: "none" }), undefined, addressOf(other))).toEqual({ ok: true, value: {} });
  });

  test("treats an entry that was never invited like any other visitor", async () => {
    const email = fresh();
    const token = await waitlist.waiting(email);
    expect(await checkAdmission(app, token, addressOf(email))).toMatchObject({ refusal: { reason: "by-invitation" } });
    expect(await showInvitation(app, token)).toMatchObject({ verdict: "none" });
  });

  test("opens one account by an invitation, even when its code is entered forty times at the same time; then it is used up", async () => {
    const email = fresh();
    const token = await invite(email);
    const driver = new CodeDriver(app, email);
    const { requestId, digits } = await driver.asked();
    const proven = await Promise.all(forty.map(() => driver.prove(requestId, digits)));
    const [first] = proven.flatMap((each) => (each.ok ? [each.value] : []));
    expect(proven.filter(({ ok }) => ok)).toHaveLength(1);
    await Promise.all(forty.map(() => joinEntries(app, first?.accountId ?? noAccount)));
    expect(await waitlist.rows()).toMatchObject([{ state: "joined" }]);
    expect(await waitlist.queued("waitlist-joined")).toBe(1);
    expect(await checkAdmission(app, token, addressOf(email))).toMatchObject({
      refusal: { reason: "invitation-used" },
    });
    expect(await showInvitation(app, token)).toMatchObject({ verdict: "used" });
    expect(await leaveWaitlist(app, token)).toMatchObject({ refusal: { reason: "place-is-over" } });
  });

  test("that closes while a code is pending lets it open no account, and leaves the code unused", async () => {
    const email = fresh();
    const open = new CodeDriver(at({ kind: "none" }), email);
    const { requestId, digits } = await open.asked();
    const guarded = new CodeDriver(app, email);
    expect(await guarded.prove(requestId, digits)).toEqual({ ok: false, refusal: { reason: "by-invitation" } });
    expect(await env.DB.prepare("select 1 from accounts where email = ?").bind(email).first()).toBeNull();
    expect(await open.prove(requestId, digits)).toMatchObject({ ok: true, value: { isNew: true } });
  });

  test("opens no account by an invitation that expired while its code was entered, exact to the millisecond", async () => {
    const [early, late] = [fresh(), fresh()];
    const ends = [];
    for (const email of [early, late]) {
      await invite(email);
      ends.push(app.clock() + invitationLifeMs);
    }
    app.pass(invitationLifeMs - minuteMs);
    const drivers = [early, late].map((email) => new CodeDriver(app, email));
    const requests = [];
    for (const driver of drivers) requests.push(await driver.asked());
    app.pass((ends[0] ?? 0) - app.clock() - 1);
    expect(await drivers[0]?.prove(requests[0]?.requestId ?? noRequest, requests[0]?.digits ?? "")).toMatchObject({
      ok: true,
    });
    app.pass((ends[1] ?? 0) - app.clock());
    const over = { ok: false, refusal: { reason: "invitation-over" } };
    expect(await drivers[1]?.prove(requests[1]?.requestId ?? noRequest, requests[1]?.digits ?? "")).toEqual(over);
  });

  test("signs in existing accounts with a code as usual", async () => {
    const email = fresh();
    await new CodeDriver(at({ kind: "none" }), email).signedIn();
    app.pass(minuteMs);
    for (const purpose of ["sign-up", "sign-in"] as const) {
      expect(await new CodeDriver(app, email).signedIn(purpose)).toMatchObject({ account: { email } });
      app.pass(minuteMs);
    }
  });

  test("records the sign-up after the Worker was killed before it did: nothing expires, and the email is sent once", async () => {
    const email = fresh();
    await invite(email);
    await new CodeDriver(app, email).signedIn();
    app.pass(2 * invitationLifeMs);
    const reported: unknown[] = [];
    await sweepWaitlist({ ...app, db: killedAtBatch(app.db, 2, "before"), report: (error) => reported.push(error) });
    expect(reported).toEqual([new Error("killed")]);
    for (let run = 0; run < 2; run += 1) await sweepWaitlist(app);
    expect(await waitlist.rows()).toMatchObject([{ state: "joined" }]);
    expect([await waitlist.queued("waitlist-joined"), await waitlist.queued("waitlist-reminder")]).toEqual([1, 0]);
  });
});

describe("the gate of a plan", () => {
  beforeEach(() => queueFor(`plan:${large.id}`));

  const order = (accountId: AccountId, state: string, paidAt: number | null) =>
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at, paid_at,
         number_year, number_in_year) values (?1, ?2, ?3, 'new-plan', '${large.id}', 'month', 'EUR', 1500, ?4, ?4, ?5, ?6, ?7)`,
    )
      .bind(`ord_${(people += 1)}`, accountId, state, app.clock(), paidAt, paidAt && 2026, paidAt && people)
      .run();

  test("is open for invited entries, until the invitation expires or the entry is left, and for no others", async () => {
    const [email, other] = [fresh(), fresh()];
    const mine = await new CodeDriver(app, email).signedIn();
    const theirs = await new CodeDriver(app, other).signedIn();
    const met = async (id: AccountId) => (await findBuyer(app, id)).gate.kind;
    const token = await waitlist.waiting(email);
    expect(await met(mine.account.id)).toBe("plan");
    await inviteNext(app, 1);
    expect([await met(mine.account.id), await met(theirs.account.id)]).toEqual(["none", "plan"]);
    // Whoever had the plan until a payment failed can continue it; whoever cancelled it needs an invitation.
    const ended = (id: string, cause: string | null) =>
      env.DB.prepare(
        `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at,
           ended_at, end_cause, synced_at) values (?1, ?2, 'ended', '${large.id}', 'month', 1500, 'EUR', 0, 1, 1, ?3, 0)`,
      )
        .bind(id, theirs.account.id, cause)
        .run();
    await ended("sub_cancelled", null);
    expect(await met(theirs.account.id)).toBe("plan");
    await ended("sub_failed", "payment-failed");
    expect(await met(theirs.account.id)).toBe("none");
    // An invitation for one plan isn't one for another.
    const elsewhere = at({ kind: "plan", planId: small.id });
    expect((await findBuyer(elsewhere, mine.account.id)).gate.kind).toBe("plan");
    app.pass(invitationLifeMs - 1);
    expect(await met(mine.account.id)).toBe("none");
    app.pass(1);
    expect(await met(mine.account.id)).toBe("plan");
    await sweepWaitlist(app);
    await inviteNext(app, 1);
    expect(await met(mine.account.id)).toBe("none");
    await leaveWaitlist(app, token);
    expect(await met(mine.account.id)).toBe("plan");
  });

  test.each([
    ["processing", 0],
    ["needs-action", 0],
    ["failed", 1],
  ] as const)("sends a reminder unless a payment is in process: %s", async (state, reminders) => {
    const email = fresh();
    const { account } = await new CodeDriver(app, email).signedIn();
    await invite(email);
    await order(account.id, state, null);
    app.pass(invitationLifeMs - reminderBeforeMs);
    await sweepWaitlist(app);
    expect(await waitlist.rows()).toMatchObject([{ state: "invited" }]);
    expect(await waitlist.queued("waitlist-reminder")).toBe(reminders);
  });

  test("is passed when the first order of that plan is paid, and a processing payment suspends the deadline", async () => {
    const email = fresh();
    const { account } = await new CodeDriver(app, email).signedIn();
    await invite(email);
    await order(account.id, "processing", null);
    app.pass(2 * invitationLifeMs);
    await sweepWaitlist(app);
    expect(await waitlist.rows()).toMatchObject([{ state: "invited" }]);
    expect(await waitlist.queued("waitlist-reminder")).toBe(0);
    await env.DB.prepare(
      "update orders set state = 'paid', paid_at = ?, number_year = 2026, number_in_year = 1 where account_id = ?",
    )
      .bind(app.clock(), account.id)
      .run();
    await Promise.all([...forty.map(() => joinEntries(app, account.id)), sweepWaitlist(app)]);
    expect(await waitlist.rows()).toMatchObject([{ state: "joined" }]);
    expect(await waitlist.queued("waitlist-joined")).toBe(1);
  });

  test("is passed by a payment within the second in which the wait began, since the provider's times have no milliseconds", async () => {
    const email = fresh();
    const { account } = await new CodeDriver(app, email).signedIn();
    app.pass(1_500 - (app.clock() % 1_000));
    await invite(email);
    app.pass(100);
    await order(account.id, "paid", app.clock() - (app.clock() % 1_000));
    await joinEntries(app, account.id);
    expect(await waitlist.rows()).toMatchObject([{ state: "joined" }]);
  });

  test("is missed when the payment fails after the deadline", async () => {
    const email = fresh();
    const { account } = await new CodeDriver(app, email).signedIn();
    const token = await invite(email);
    await order(account.id, "processing", null);
    app.pass(invitationLifeMs);
    await env.DB.prepare("update orders set state = 'failed' where account_id = ?").bind(account.id).run();
    await sweepWaitlist(app);
    expect(await waitlist.entry(token)).toMatchObject({ state: "waiting", missed: 1 });
  });

  test("is not passed by an order from before the wait began, nor by another plan's", async () => {
    const email = fresh();
    const { account } = await new CodeDriver(app, email).signedIn();
    await order(account.id, "refunded", app.clock());
    app.pass(1);
    await invite(email);
    await env.DB.prepare(`update orders set plan_id = '${small.id}', paid_at = ? where account_id = ?`)
      .bind(app.clock(), account.id)
      .run();
    await joinEntries(app, account.id);
    await sweepWaitlist(app);
    expect(await waitlist.rows()).toMatchObject([{ state: "invited" }]);
  });
});

describe("an opened gate", () => {
  beforeEach(() => queueFor(`plan:${large.id}`));

  test("is announced once to each waiting entry, in portions, and entries that are already in get that email instead", async () => {
    await waitlist.crowd(27);
    const email = fresh();
    const { account } = await new CodeDriver(app, email).signedIn();
    await waitlist.waiting(email);
    await env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at, paid_at,
         number_year, number_in_year) values ('ord_doors', ?1, 'paid', 'new-plan', '${large.id}', 'month', 'EUR', 1500, 0, 0, ?2, 2026, 77)`,
    )
      .bind(account.id, app.clock())
      .run();
    await sweepWaitlist(app);
    expect(await waitlist.queued("doors-open")).toBe(0);
    const open = at({ kind: "none" });
    await sweepWaitlist(open);
    expect(await waitlist.queued("doors-open")).toBeLessThanOrEqual(25);
    await Promise.all(forty.slice(0, 8).map(() => sweepWaitlist(open)));
    for (let run = 0; run < 2; run += 1) await sweepWaitlist(open);
    expect(await waitlist.queued("doors-open")).toBe(27);
    expect(await waitlist.queued("waitlist-joined")).toBe(1);
    expect((await waitlist.states()).filter((each) => each.endsWith("waiting"))).toHaveLength(27);
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("doesn't affect another gate's queue, whose entries are neither emailed nor invited", async () => {
    await waitlist.crowd(2);
    const now = { ...at({ kind: "signup" }), product: { ...app.product, invitationsPerDay: 5 } };
    await sweepWaitlist(now);
    expect(await env.DB.prepare("select count(*) as emails from emails where state = 'queued'").first()).toEqual({
      emails: 0,
    });
    expect(await waitlist.states()).toEqual(["w1 waiting", "w2 waiting"]);
    await sweepWaitlist({ ...app, product: now.product });
    expect(await waitlist.states()).toEqual(["w1 invited", "w2 invited"]);
  });
});
