import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/domain/kernel/time.ts";
import { confirmEntry } from "#app/domain/waitlist/confirm-entry.server.ts";
import { joinSignedIn } from "#app/domain/waitlist/join-waitlist.server.ts";
import { leaveWaitlist } from "#app/domain/waitlist/leave-waitlist.server.ts";
import { resendLink } from "#app/domain/waitlist/resend-link.server.ts";
import { countedStates, type EntryState } from "#app/domain/waitlist/rules.ts";
import { showWaitlist } from "#app/domain/waitlist/show-waitlist.server.ts";
import { findStanding } from "#app/domain/waitlist/store.server.ts";
import { ownNetwork, WaitlistDriver } from "#tests/support/waitlist-driver.ts";
import { type TestApp, testApp } from "#tests/support/worker-app.ts";

let line: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  line = new WaitlistDriver();
  ({ app } = line);
});

describe("the order of the line", () => {
  test("is that of confirmation, not of joining", async () => {
    const late = await line.pending("first@example.com");
    const second = await line.waiting("second@example.com");
    const first = await confirmEntry(app, late);
    expect(await line.place(second)).toMatchObject({ ahead: 0, behind: 1, friends: 0 });
    expect(first.ok && (await line.place(first.value.entryToken))).toMatchObject({ ahead: 1, behind: 0 });
  });

  test("moves an entry five places for each friend who confirmed and stays, and for nobody else", async () => {
    const tokens = [];
    for (let number = 0; number < 13; number += 1) tokens.push(await line.waiting(`w${number}@example.com`));
    const last = tokens.at(-1) ?? "";
    const { shareCode, ahead } = await line.place(last);
    expect(ahead).toBe(12);
    const friend = await line.pending("friend@example.com", shareCode);
    expect(await line.place(last)).toMatchObject({ ahead: 12, friends: 0 });
    await confirmEntry(app, friend);
    expect(await line.place(last)).toMatchObject({ ahead: 7, behind: 6, friends: 1 });
    const other = await line.waiting("other@example.com", shareCode);
    expect(await line.place(last)).toMatchObject({ ahead: 2, friends: 2 });
    await leaveWaitlist(app, other);
    expect(await line.place(last)).toMatchObject({ ahead: 7, friends: 1 });
    await line.waiting("stranger@example.com", "nobodyscod");
    expect(await line.place(last)).toMatchObject({ ahead: 7, friends: 1 });
  });

  test("agrees with a plain model for a crowd of any history", async () => {
    const crowd = drawCrowd(150);
    const insert = env.DB.prepare(`insert into entries (id, gate, state, review, email, email_canonical, confirm_hash,
      entry_hash, share_code, referrer_id, created_at, confirm_expires_at, confirmed_at)
      values (?1, ?2, ?3, ?4, ?1, ?1, ?1, ?1, ?1, ?5, 0, 0, ?6)`);
    await env.DB.batch(
      crowd.map((one) => insert.bind(one.id, line.gate, one.state, one.review, one.referrerId, one.confirmedAt)),
    );
    const model = modelLine(crowd);
    expect(model.length).toBeGreaterThan(30);
    for (const [ahead, one] of model.entries()) {
      const [standing] = await findStanding(app.db, one.id);
      expect(standing).toEqual({ ahead, behind: model.length - 1 - ahead, friends: friendsOf(crowd, one) });
    }
    const outside = crowd.find((one) => one.state === "invited");
    expect(await findStanding(app.db, outside?.id ?? "")).toMatchObject([{ ahead: null, behind: null }]);
  });
});

type One = { id: string; state: EntryState; review: string; confirmedAt: number; referrerId: string | null };

/** The same crowd in every run, many of them confirmed in the same moment. */
function drawCrowd(size: number): One[] {
  const states = [
    "pending",
    "waiting",
    "waiting",
    "waiting",
    "invited",
    "joined",
    "resting",
    "left",
    "rejected",
  ] as const;
  let seed = 7;
  const draw = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const ids = Array.from({ length: size }, (_, number) => `ent_${draw(1000)}_${number}_${line.gate}`);
  return ids.map((id) => ({
    id,
    state: states[draw(states.length)] ?? "waiting",
    review: draw(8) === 0 ? "under-review" : "none",
    confirmedAt: draw(20),
    // A few have most of the friends.
    referrerId: draw(3) === 0 ? (ids[draw(draw(2) === 0 ? 6 : size)] ?? null) : null,
  }));
}

function friendsOf(crowd: One[], one: One): number {
  const counts = (friend: One) => countedStates.some((state) => state === friend.state) && friend.review === "none";
  return crowd.filter((friend) => friend.referrerId === one.id && counts(friend)).length;
}

function modelLine(crowd: One[]): One[] {
  const compareIds = (left: One, right: One) => (left.id < right.id ? -1 : 1);
  const waiting = crowd
    .filter((one) => one.state === "waiting")
    .sort((left, right) => left.confirmedAt - right.confirmedAt || compareIds(left, right))
    .map((one, index) => ({ one, friends: friendsOf(crowd, one), place: index - 5 * friendsOf(crowd, one) }));
  // Stable: who waits longer stays first among equals.
  return waiting.sort((left, right) => left.place - right.place || right.friends - left.friends).map(({ one }) => one);
}

describe("leaving", () => {
  test("gives the place up; joining again begins at the end, with new links and without the friends of before", async () => {
    const token = await line.waiting("leaver@example.com");
    const { shareCode } = await line.place(token);
    await line.waiting("friend@example.com", shareCode);
    const stays = await line.waiting("stays@example.com");
    expect(await leaveWaitlist(app, token)).toEqual({ ok: true, value: null });
    expect(await leaveWaitlist(app, token)).toEqual({ ok: true, value: null });
    expect(await line.place(token)).toMatchObject({ state: "left", ahead: null, behind: null });
    expect(await line.place(stays)).toMatchObject({ ahead: 1, behind: 0 });
    app.pass(minuteMs);
    const again = await line.waiting("leaver@example.com");
    expect(again).not.toBe(token);
    expect(await line.place(again)).toMatchObject({ state: "waiting", ahead: 2, friends: 0 });
    expect(await showWaitlist(app, { entry: token }, null)).toEqual({ kind: "link-unknown" });
    expect(await line.rows()).toHaveLength(3);
  });

  test("takes the confirmation link along", async () => {
    const confirm = await line.pending("gone@example.com");
    const confirmed = await confirmEntry(app, confirm);
    await leaveWaitlist(app, confirmed.ok ? confirmed.value.entryToken : "");
    expect(await confirmEntry(app, confirm)).toEqual({ ok: false, refusal: { reason: "entry-left" } });
    expect(await line.rows()).toMatchObject([{ state: "left" }]);
  });

  test("makes a share link bring nobody, as does one of another gate", async () => {
    const token = await line.waiting("sharer@example.com");
    const { shareCode } = await line.place(token);
    const otherGate = new WaitlistDriver();
    await otherGate.pending("elsewhere@example.com", shareCode);
    await leaveWaitlist(app, token);
    await line.pending("too-late@example.com", shareCode);
    const [, late] = await line.rows();
    expect(late).toMatchObject({ email_canonical: "too-late@example.com", referrer_id: null });
    expect(await otherGate.rows()).toMatchObject([{ referrer_id: null }]);
  });

  test("is refused where there is no place to give up", async () => {
    const token = await line.waiting("joined@example.com");
    await line.setState("joined@example.com", "joined");
    expect(await leaveWaitlist(app, token)).toEqual({ ok: false, refusal: { reason: "place-is-over" } });
    expect(await line.rows()).toMatchObject([{ state: "joined" }]);
  });
});

test("the first friend's link counts, also when the confirmation ran out in between", async () => {
  const sharer = (await line.place(await line.waiting("one@example.com"))).shareCode;
  const other = (await line.place(await line.waiting("two@example.com"))).shareCode;
  await line.pending("friend@example.com", sharer);
  app.pass(8 * dayMs);
  await line.waiting("friend@example.com", other);
  const [one, , friend] = await line.rows();
  expect(friend).toMatchObject({ email_canonical: "friend@example.com", referrer_id: one?.id });
});

describe("signed in", () => {
  const account = { email: "signed@example.com", state: "active" } as const;

  test("one click makes a place, without a mail; the next visit leads there", async () => {
    const joined = await joinSignedIn(app, account, null);
    const entryToken = joined.ok ? joined.value.entryToken : "";
    await app.settled();
    expect(app.mails).toEqual([]);
    expect(await line.place(entryToken)).toMatchObject({ state: "waiting", ahead: 0 });
    expect(await showWaitlist(app, {}, account)).toEqual({ kind: "own", entryToken });
    const full = { ...app, product: { ...app.product, waitlist: "full" as const } };
    expect(await showWaitlist(full, {}, account)).toEqual({ kind: "own", entryToken });
  });

  test("forty clicks at once make one place", async () => {
    const joined = await Promise.all(Array.from({ length: 40 }, () => joinSignedIn(app, account, null)));
    expect(new Set(joined.map((answer) => answer.ok && answer.value.entryToken)).size).toBe(1);
    expect(await line.rows()).toMatchObject([{ state: "waiting", confirmed_at: app.clock() }]);
  });

  test("takes over what a mail was to confirm, leaves a place untouched, and begins anew after leaving", async () => {
    const confirm = await line.pending(account.email);
    const first = await joinSignedIn(app, account, null);
    const confirmedAt = app.clock();
    app.pass(minuteMs);
    expect(await confirmEntry(app, confirm)).toMatchObject({ ok: true, value: { isFirst: false } });
    expect(await joinSignedIn(app, account, null)).toEqual(first);
    expect(await line.rows()).toMatchObject([{ confirmed_at: confirmedAt }]);
    const token = first.ok ? first.value.entryToken : "";
    await leaveWaitlist(app, token);
    const again = await joinSignedIn(app, account, null);
    expect(again.ok && again.value.entryToken).not.toBe(token);
    expect(await line.rows()).toMatchObject([{ state: "waiting", confirmed_at: app.clock() }]);
  });

  test("one click is stronger than a mail that somebody asked for in the same moment", async () => {
    const using = line.interrupted(() => line.join(account.email));
    const joined = await joinSignedIn(using, account, null);
    expect(await line.rows()).toMatchObject([{ state: "waiting" }]);
    expect(await line.place(joined.ok ? joined.value.entryToken : "")).toMatchObject({ state: "waiting" });
  });

  test("a rejected address stays rejected", async () => {
    await line.waiting(account.email);
    await line.setState(account.email, "rejected");
    await joinSignedIn(app, account, null);
    expect(await line.rows()).toMatchObject([{ state: "rejected" }]);
  });

  test("nobody with an account waits for sign-up", async () => {
    const guarded = testApp({ gate: { kind: "signup" } });
    expect(await joinSignedIn(guarded, account, null)).toEqual({ ok: false, refusal: { reason: "has-account" } });
    expect(await showWaitlist(guarded, {}, account)).toMatchObject({ kind: "shut", reason: "has-account" });
    expect(await showWaitlist(guarded, {}, null)).toMatchObject({ kind: "join", what: guarded.product.name });
  });

  test("whoever is leaving joins nothing and is led to have the account back; a place from before is still shown", async () => {
    const leaving = { ...account, state: "leaving" } as const;
    for (const using of [app, testApp({ gate: { kind: "none" } }), testApp({ gate: { kind: "signup" } })]) {
      expect(await joinSignedIn(using, leaving, null)).toEqual({ ok: false, refusal: { reason: "account-leaving" } });
      expect(await showWaitlist(using, {}, leaving)).toMatchObject({ kind: "shut", reason: "account-leaving" });
    }
    expect(await line.rows()).toEqual([]);
    const joined = await joinSignedIn(app, account, null);
    const own = { kind: "own", entryToken: joined.ok && joined.value.entryToken };
    expect(await showWaitlist(app, {}, leaving)).toEqual(own);
  });
});

describe("an entry's own page", () => {
  test("says when the doors have opened", async () => {
    const token = await line.waiting("patient@example.com");
    expect(await line.place(token)).toMatchObject({ opened: null });
    const open = { ...app, gate: { kind: "none" } as const };
    const planId = line.gate.slice("plan:".length);
    expect(await showWaitlist(open, { entry: token }, null)).toMatchObject({ kind: "place", opened: { planId } });
  });

  test("mails its link again, to its own address", async () => {
    const token = await line.waiting("again@example.com");
    app.pass(minuteMs);
    expect(await resendLink(app, { kind: "entry", token }, ownNetwork())).toEqual({ ok: true, value: null });
    await app.settled();
    expect(line.mailed("entry", "again@example.com")).toBe(token);
  });
});
