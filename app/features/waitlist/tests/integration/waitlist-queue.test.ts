import { beforeEach, describe, expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { joinSignedIn } from "../../commands/join-waitlist.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { resendLink } from "../../commands/resend-link.server.ts";
import { newViewMs } from "../../queue.rules.ts";
import { showWaitlist } from "../../reads/show-waitlist.server.ts";
import { ownNetwork, WaitlistDriver } from "../waitlist-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
});

describe("the order of the waitlist", () => {
  test("follows the time of confirmation, not of joining", async () => {
    const late = await waitlist.pending("first@example.com");
    const second = await waitlist.waiting("second@example.com");
    const first = await confirmEntry(app, late);
    expect(await waitlist.entry(second)).toMatchObject({ ahead: 0, behind: 1, friends: 0 });
    expect(first.ok && (await waitlist.entry(first.value.entryToken))).toMatchObject({ ahead: 1, behind: 0 });
  });

  test("moves an entry five places for each friend who confirmed and stays, and for no other", async () => {
    const tokens = [];
    for (let number = 0; number < 13; number += 1) tokens.push(await waitlist.waiting(`w${number}@example.com`));
    const last = tokens.at(-1) ?? "";
    const { shareCode, ahead } = await waitlist.entry(last);
    expect(ahead).toBe(12);
    const friend = await waitlist.pending("friend@example.com", shareCode);
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 12, friends: 0 });
    await confirmEntry(app, friend);
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 7, behind: 6, friends: 1 });
    const other = await waitlist.waiting("other@example.com", shareCode);
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 2, friends: 2 });
    await leaveWaitlist(app, other);
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 7, friends: 1 });
    await waitlist.waiting("stranger@example.com", "nobodyscod");
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 7, friends: 1 });
  });

  test("puts a moved entry before the one that has the same sort number by its own number, and then orders by time", async () => {
    const tokens = [];
    for (let number = 1; number <= 16; number += 1) tokens.push(await waitlist.waiting(`w${number}@example.com`));
    const [eleventh = "", sixteenth = ""] = [tokens[10], tokens[15]];
    const codes = await Promise.all(
      [eleventh, sixteenth].map(async (token) => (await waitlist.entry(token)).shareCode),
    );
    await waitlist.waiting("f1@example.com", codes[1]);
    await waitlist.waiting("f2@example.com", codes[1]);
    expect(await waitlist.entry(sixteenth)).toMatchObject({ ahead: 5 });
    await waitlist.waiting("f3@example.com", codes[0]);
    // Both are at the sixth place now, and so is its holder.
    expect(await waitlist.entry(eleventh)).toMatchObject({ ahead: 5 });
    expect(await waitlist.entry(sixteenth)).toMatchObject({ ahead: 6 });
    expect(await waitlist.entry(tokens[5] ?? "")).toMatchObject({ ahead: 7 });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("counts five entries that still wait, and ignores the numbers of entries that were left", async () => {
    const tokens = [];
    for (let number = 1; number <= 12; number += 1) tokens.push(await waitlist.waiting(`w${number}@example.com`));
    for (const gone of [9, 8, 4]) await leaveWaitlist(app, tokens[gone] ?? "");
    const last = tokens.at(-1) ?? "";
    const { shareCode, ahead } = await waitlist.entry(last);
    expect(ahead).toBe(8);
    const friend = await waitlist.waiting("friend@example.com", shareCode);
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 3 });
    await leaveWaitlist(app, friend);
    expect(await waitlist.entry(last)).toMatchObject({ ahead: 8, friends: 0 });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("lets an entry earn places beyond the front, for when later entries overtake it", async () => {
    await waitlist.waiting("one@example.com");
    const token = await waitlist.waiting("two@example.com");
    const { shareCode } = await waitlist.entry(token);
    const friends = [];
    for (const name of ["a", "b"]) friends.push(await waitlist.waiting(`${name}@example.com`, shareCode));
    expect(await waitlist.entry(token)).toMatchObject({ ahead: 0, friends: 2 });
    const rival = await waitlist.waiting("rival@example.com");
    await waitlist.waiting("c@example.com", (await waitlist.entry(rival)).shareCode);
    expect(await waitlist.entry(rival)).toMatchObject({ ahead: 1 });
    await leaveWaitlist(app, friends[0] ?? "");
    expect(await waitlist.entry(token)).toMatchObject({ ahead: 0, friends: 1 });
  });
});

describe("leaving the waitlist", () => {
  test("gives up the place, and joining again starts at the end, with new links and without the earlier friends", async () => {
    const token = await waitlist.waiting("leaver@example.com");
    const { shareCode } = await waitlist.entry(token);
    await waitlist.waiting("friend@example.com", shareCode);
    const stays = await waitlist.waiting("stays@example.com");
    expect(await leaveWaitlist(app, token)).toEqual({ ok: true, value: null });
    expect(await leaveWaitlist(app, token)).toEqual({ ok: true, value: null });
    expect(await waitlist.entry(token)).toMatchObject({ state: "left", ahead: null, behind: null });
    expect(await waitlist.entry(stays)).toMatchObject({ ahead: 1, behind: 0 });
    app.pass(minuteMs);
    const again = await waitlist.waiting("leaver@example.com");
    expect(again).not.toBe(token);
    expect(await waitlist.entry(again)).toMatchObject({ state: "waiting", ahead: 2, friends: 0 });
    expect(await showWaitlist(app, { entry: token }, null)).toEqual({ kind: "link-unknown" });
    expect(await waitlist.rows()).toHaveLength(3);
  });

  test("voids the confirmation link", async () => {
    const confirm = await waitlist.pending("gone@example.com");
    const confirmed = await confirmEntry(app, confirm);
    await leaveWaitlist(app, confirmed.ok ? confirmed.value.entryToken : "");
    expect(await confirmEntry(app, confirm)).toEqual({ ok: false, refusal: { reason: "entry-left" } });
    expect(await waitlist.rows()).toMatchObject([{ state: "left" }]);
  });

  test("disables the share link, as does a new gate", async () => {
    const token = await waitlist.waiting("sharer@example.com");
    const { shareCode } = await waitlist.entry(token);
    const otherGate = new WaitlistDriver();
    await otherGate.pending("elsewhere@example.com", shareCode);
    await leaveWaitlist(app, token);
    await waitlist.pending("too-late@example.com", shareCode);
    const [, late] = await waitlist.rows();
    expect(late).toMatchObject({ email_canonical: "too-late@example.com", referrer_entry_id: null });
    expect(await otherGate.rows()).toMatchObject([{ referrer_entry_id: null }]);
  });

  test("is refused if there is no place to give up", async () => {
    const token = await waitlist.waiting("joined@example.com");
    await waitlist.setState("joined@example.com", "joined");
    expect(await leaveWaitlist(app, token)).toEqual({ ok: false, refusal: { reason: "place-is-over" } });
    expect(await waitlist.rows()).toMatchObject([{ state: "joined" }]);
  });
});

describe("joining while signed in", () => {
  const account = { email: "signed@example.com", state: "active" } as const;

  test("adds an entry with one click and without an email, and the next visit leads to it", async () => {
    const joined = await joinSignedIn(app, account, null);
    const entryToken = joined.ok ? joined.value.entryToken : "";
    await app.settled();
    expect(app.emails).toEqual([]);
    expect(await waitlist.entry(entryToken)).toMatchObject({ state: "waiting", ahead: 0 });
    expect(await showWaitlist(app, {}, account)).toEqual({ kind: "own", entryToken });
    const full = { ...app, product: { ...app.product, waitlist: "full" as const } };
    expect(await showWaitlist(full, {}, account)).toEqual({ kind: "own", entryToken });
  });

  test("adds one entry for forty simultaneous clicks", async () => {
    const joined = await Promise.all(Array.from({ length: 40 }, () => joinSignedIn(app, account, null)));
    expect(new Set(joined.map((answer) => answer.ok && answer.value.entryToken)).size).toBe(1);
    expect(await waitlist.rows()).toMatchObject([{ state: "waiting", confirmed_at: app.clock() }]);
  });

  test("confirms a pending entry, leaves a waiting one unchanged, and starts again after leaving", async () => {
    const confirm = await waitlist.pending(account.email);
    const first = await joinSignedIn(app, account, null);
    const confirmedAt = app.clock();
    app.pass(minuteMs);
    expect(await confirmEntry(app, confirm)).toMatchObject({ ok: true, value: { isFirst: false } });
    expect(await joinSignedIn(app, account, null)).toEqual(first);
    expect(await waitlist.rows()).toMatchObject([{ confirmed_at: confirmedAt }]);
    const token = first.ok ? first.value.entryToken : "";
    await leaveWaitlist(app, token);
    const again = await joinSignedIn(app, account, null);
    expect(again.ok && again.value.entryToken).not.toBe(token);
    expect(await waitlist.rows()).toMatchObject([{ state: "waiting", confirmed_at: app.clock() }]);
  });

  test("takes precedence over an email that was requested at the same moment", async () => {
    const using = waitlist.interrupted(() => waitlist.join(account.email));
    const joined = await joinSignedIn(using, account, null);
    expect(await waitlist.rows()).toMatchObject([{ state: "waiting" }]);
    expect(await waitlist.entry(joined.ok ? joined.value.entryToken : "")).toMatchObject({ state: "waiting" });
  });

  test("leaves a rejected address rejected", async () => {
    await waitlist.waiting(account.email);
    await waitlist.setState(account.email, "rejected");
    await joinSignedIn(app, account, null);
    expect(await waitlist.rows()).toMatchObject([{ state: "rejected" }]);
  });

  test("is not possible while the gate guards sign-up", async () => {
    const guarded = testApp({ gate: { kind: "signup" } });
    expect(await joinSignedIn(guarded, account, null)).toEqual({ ok: false, refusal: { reason: "has-account" } });
    expect(await showWaitlist(guarded, {}, account)).toMatchObject({ kind: "shut", reason: "has-account" });
    expect(await showWaitlist(guarded, {}, null)).toMatchObject({ kind: "join", what: guarded.product.name });
  });

  test("is not possible for a closed account, which is led to restoring it; an earlier entry is still shown", async () => {
    const leaving = { ...account, state: "closed" } as const;
    for (const using of [app, testApp({ gate: { kind: "none" } }), testApp({ gate: { kind: "signup" } })]) {
      expect(await joinSignedIn(using, leaving, null)).toEqual({ ok: false, refusal: { reason: "account-closed" } });
      expect(await showWaitlist(using, {}, leaving)).toMatchObject({ kind: "shut", reason: "account-closed" });
    }
    expect(await waitlist.rows()).toEqual([]);
    const joined = await joinSignedIn(app, account, null);
    const own = { kind: "own", entryToken: joined.ok && joined.value.entryToken };
    expect(await showWaitlist(app, {}, leaving)).toEqual(own);
  });
});

describe("an entry's own page", () => {
  test("shows how it moved since the last visit, in both directions, even when it is reloaded", async () => {
    const first = await waitlist.waiting("first@example.com");
    const second = await waitlist.waiting("second@example.com");
    const look = async (token: string) => {
      const { movement } = await waitlist.entry(token);
      await app.settled();
      return movement;
    };
    expect([await look(first), await look(second), await look(first)]).toEqual([null, null, null]);
    const since = app.clock();
    app.pass(newViewMs);
    await waitlist.waiting("friend@example.com", (await waitlist.entry(second)).shareCode);
    expect(await look(second)).toEqual({ since, ahead: -1, friends: 1 });
    expect(await look(first)).toEqual({ since, ahead: 1, friends: 0 });
    expect(await look(first)).toEqual({ since, ahead: 1, friends: 0 });
    app.pass(newViewMs);
    expect(await look(first)).toMatchObject({ ahead: 0, friends: 0 });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("shows that the gate has opened", async () => {
    const token = await waitlist.waiting("patient@example.com");
    expect(await waitlist.entry(token)).toMatchObject({ opened: null });
    const open = { ...app, gate: { kind: "none" } as const };
    const planId = waitlist.gate.slice("plan:".length);
    expect(await showWaitlist(open, { entry: token }, null)).toMatchObject({ kind: "entry", opened: { planId } });
  });

  test("emails its link again, to its own address", async () => {
    const token = await waitlist.waiting("again@example.com");
    app.pass(minuteMs);
    expect(await resendLink(app, { kind: "entry", token }, ownNetwork())).toEqual({
      ok: true,
      value: { isSent: true },
    });
    await app.settled();
    expect(waitlist.emailed("entry", "again@example.com")).toBe(token);
  });
});
