import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { resendLink } from "../../commands/resend-link.server.ts";
import { confirmLifeMs } from "../../rules.ts";
import { sweepWaitlist } from "../../commands/sweep-waitlist.server.ts";
import { showWaitlist } from "../../reads/show-waitlist.server.ts";
import { ownNetwork, WaitlistDriver } from "../waitlist-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
});

describe("joining the waitlist", () => {
  test("adds an entry to the queue only after the emailed link was confirmed, and opening the link confirms nothing", async () => {
    expect(await waitlist.join("Ann@Example.com")).toEqual({ ok: true, value: null });
    await app.settled();
    expect(app.emails.map((email) => email.to)).toEqual(["Ann@example.com"]);
    const token = waitlist.emailed("confirm", "Ann@example.com");
    const shown = await showWaitlist(app, { confirm: token }, null);
    expect(shown).toMatchObject({ kind: "confirm", verdict: "open", maskedAddress: "A•••@Example.com" });
    expect(await waitlist.rows()).toMatchObject([
      { state: "pending", email_canonical: "ann@example.com", confirmed_at: null },
    ]);
    expect(await confirmEntry(app, token)).toMatchObject({ ok: true, value: { isFirst: true } });
    expect(await waitlist.rows()).toMatchObject([{ state: "waiting", confirmed_at: app.clock() }]);
  });

  test("is deleted after seven days without a confirmation, and no other entry with it", async () => {
    await waitlist.pending("forgotten@example.com");
    const confirmToken = await waitlist.pending("kept@example.com");
    await confirmEntry(app, confirmToken);
    app.pass(confirmLifeMs);
    await sweepWaitlist(app);
    expect(await waitlist.rows()).toHaveLength(2);
    app.pass(1);
    await sweepWaitlist(app);
    expect(await waitlist.rows()).toMatchObject([{ email_canonical: "kept@example.com", state: "waiting" }]);
  });

  test("stores neither token, only hashes", async () => {
    const confirm = await waitlist.pending("hash@example.com");
    const confirmed = await confirmEntry(app, confirm);
    const stored = JSON.stringify(await env.DB.prepare("select * from entries").all());
    expect(stored).toContain("hash@example.com");
    expect(stored).not.toContain(confirm);
    expect(stored).not.toContain(confirmed.ok && confirmed.value.entryToken);
  });

  test("again emails the same link, which is valid for seven days from then", async () => {
    const first = await waitlist.pending("twice@example.com");
    app.pass(6 * dayMs);
    expect(await waitlist.pending("twice@example.com")).toBe(first);
    expect(app.emails).toHaveLength(2);
    app.pass(6 * dayMs);
    expect(await confirmEntry(app, first)).toMatchObject({ ok: true });
    expect(await waitlist.rows()).toHaveLength(1);
  });

  test("forty times at the same time adds one entry and emails one link", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => waitlist.join("forty@example.com")));
    await app.settled();
    expect(answers.every((answer) => answer.ok)).toBe(true);
    expect(await waitlist.rows()).toHaveLength(1);
    expect(app.emails).toHaveLength(1);
    expect(await confirmEntry(app, waitlist.emailed("confirm", "forty@example.com"))).toMatchObject({ ok: true });
  });

  test("is refused without a gate, or if the list is full, and nothing is emailed or stored", async () => {
    const open = testApp({ gate: { kind: "none" } });
    expect(await waitlist.join("a@example.com", { using: open })).toEqual({
      ok: false,
      refusal: { reason: "no-gate" },
    });
    const full = testApp({ gate: app.gate, product: { ...app.product, waitlist: "full" } });
    expect(await waitlist.join("a@example.com", { using: full })).toEqual({
      ok: false,
      refusal: { reason: "list-full" },
    });
    await Promise.all([open.settled(), full.settled()]);
    expect([...open.emails, ...full.emails]).toEqual([]);
    expect(await waitlist.rows()).toEqual([]);
    expect(await showWaitlist(open, {}, null)).toMatchObject({ kind: "shut", reason: "no-gate" });
    expect(await showWaitlist(full, {}, null)).toMatchObject({ kind: "shut", reason: "list-full" });
  });

  test("emails no confirmation link for an entry that was just confirmed", async () => {
    const token = await waitlist.pending("quick@example.com");
    app.pass(minuteMs);
    await waitlist.join("quick@example.com", { using: waitlist.interrupted(() => confirmEntry(app, token)) });
    await app.settled();
    expect(app.emails).toHaveLength(1);
    expect(await waitlist.rows()).toMatchObject([{ state: "waiting" }]);
  });

  test("overwrites no entry when a share code is generated twice", async () => {
    const { random } = app;
    app.random = (byteCount) => (byteCount === 7 ? new Uint8Array(7) : random(byteCount));
    await waitlist.pending("first@example.com");
    app.pass(confirmLifeMs);
    await waitlist.join("second@example.com");
    await app.settled();
    expect(app.emails).toHaveLength(1);
    expect(await waitlist.rows()).toMatchObject([{ email_canonical: "first@example.com" }]);
  });

  test("stores the entry while email is down, and the link is sent later", async () => {
    app.isEmailDown = true;
    expect(await waitlist.join("later@example.com")).toEqual({ ok: true, value: null });
    await app.settled();
    expect(app.emails).toEqual([]);
    app.isEmailDown = false;
    app.pass(2 * minuteMs);
    await deliverDueEmails(app);
    expect(await confirmEntry(app, waitlist.emailed("confirm", "later@example.com"))).toMatchObject({ ok: true });
  });
});

describe("a confirmation link", () => {
  test("works once, and the same click again leads to the entry's page and changes nothing", async () => {
    const token = await waitlist.pending("once@example.com");
    const first = await confirmEntry(app, token);
    const confirmedAt = app.clock();
    app.pass(hourMs);
    const second = await confirmEntry(app, token);
    expect(first).toMatchObject({ ok: true, value: { isFirst: true } });
    expect(second).toEqual({ ok: true, value: { entryToken: first.ok && first.value.entryToken, isFirst: false } });
    expect(await waitlist.rows()).toMatchObject([{ confirmed_at: confirmedAt }]);
    expect(await showWaitlist(app, { confirm: token }, null)).toMatchObject({ verdict: "confirmed" });
  });

  test("confirms once when clicked forty times at the same time", async () => {
    const token = await waitlist.pending("press@example.com");
    const pressed = await Promise.all(Array.from({ length: 40 }, () => confirmEntry(app, token)));
    expect(pressed.every((answer) => answer.ok)).toBe(true);
    expect(pressed.filter((answer) => answer.ok && answer.value.isFirst)).toHaveLength(1);
    expect(new Set(pressed.map((answer) => answer.ok && answer.value.entryToken)).size).toBe(1);
  });

  test("is valid for seven days, exact to the millisecond; then a new one can be sent, and the old one stays invalid", async () => {
    const old = await waitlist.pending("slow@example.com");
    const inTime = await waitlist.pending("in-time@example.com");
    app.pass(confirmLifeMs - 1);
    expect(await confirmEntry(app, inTime)).toMatchObject({ ok: true });
    app.pass(1);
    expect(await confirmEntry(app, old)).toEqual({ ok: false, refusal: { reason: "link-expired" } });
    expect(await showWaitlist(app, { confirm: old }, null)).toMatchObject({ kind: "confirm", verdict: "expired" });
    expect(await resendLink(app, { kind: "confirm", token: old }, ownNetwork())).toEqual({
      ok: true,
      value: { isSent: true },
    });
    await app.settled();
    expect(await confirmEntry(app, old)).toEqual({ ok: false, refusal: { reason: "link-unknown" } });
    expect(await confirmEntry(app, waitlist.emailed("confirm", "slow@example.com"))).toMatchObject({ ok: true });
    expect(await waitlist.rows()).toHaveLength(2);
  });

  test("that was never sent is refused, and so are a malformed one and the entry's other link", async () => {
    const confirm = await waitlist.pending("tokens@example.com");
    const confirmed = await confirmEntry(app, confirm);
    const entry = confirmed.ok ? confirmed.value.entryToken : "";
    const nowhere = { ok: false, refusal: { reason: "link-unknown" } };
    for (const token of ["", "x", "0".repeat(52), entry]) {
      expect(await confirmEntry(app, token)).toEqual(nowhere);
      expect(await showWaitlist(app, { confirm: token }, null)).toEqual({ kind: "link-unknown" });
    }
    expect(await showWaitlist(app, { entry: confirm }, null)).toEqual({ kind: "link-unknown" });
    expect(await leaveWaitlist(app, confirm)).toEqual(nowhere);
    expect(await resendLink(app, { kind: "entry", token: confirm }, ownNetwork())).toEqual(nowhere);
  });

  test("that expired adds nothing to a full list, but a valid one still confirms", async () => {
    const late = await waitlist.pending("late@example.com");
    app.pass(dayMs);
    const early = await waitlist.pending("early@example.com");
    app.pass(confirmLifeMs - dayMs);
    const full = { ...app, product: { ...app.product, waitlist: "full" as const } };
    const resent = await resendLink(full, { kind: "confirm", token: late }, ownNetwork());
    expect(resent).toEqual({ ok: false, refusal: { reason: "list-full" } });
    expect(await confirmEntry(full, early)).toMatchObject({ ok: true });
  });
});
