import type { AccountId, SessionId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { endOtherSession, endOtherSessions } from "#app/modules/accounts/commands/end-session.server.ts";
import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { listSessions } from "#app/modules/accounts/sessions.queries.server.ts";
import { reauthenticationMs, sessionAbsoluteMs, sessionIdleMs } from "#app/modules/accounts/rules.ts";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { closeAccount } from "#app/modules/closing/commands/close-account.server.ts";
import { restoreAccount } from "#app/modules/closing/commands/restore-account.server.ts";
import { dayMs, formatMoment, minuteMs } from "#app/core/time/time.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let person: CodeDriver;
let people = 0;

beforeEach(() => {
  app = testApp();
  people += 1;
  person = new CodeDriver(app, `signed-in-${people}@example.com`);
});

async function isOpen(cookie: SessionCookie): Promise<boolean> {
  const viewer = await findSignedIn(app, cookie);
  await app.settled();
  return viewer !== null;
}

async function stateOf(sessionId: SessionId): Promise<string | undefined> {
  const row = await env.DB.prepare("select state from sessions where id = ?")
    .bind(sessionId)
    .first<{ state: string }>();
  return row?.state;
}

async function linesOf(accountId: AccountId, what: string): Promise<number> {
  const row = await env.DB.prepare("select count(*) as n from activities where account_id = ? and what = ?")
    .bind(accountId, what)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

describe("a session", () => {
  test("expires when idle for fourteen days after the last recorded use, exact to the millisecond", async () => {
    const early = await person.signedIn();
    app.pass(sessionIdleMs - 1);
    expect(await isOpen(early.cookie)).toBe(true);
    app.pass(sessionIdleMs - 1);
    expect(await isOpen(early.cookie)).toBe(true);
    app.pass(sessionIdleMs);
    expect(await isOpen(early.cookie)).toBe(false);
  });

  test("isn't extended by a use within five minutes of the last recorded one", async () => {
    const { cookie } = await person.signedIn();
    app.pass(5 * minuteMs);
    expect(await isOpen(cookie)).toBe(true);
    app.pass(sessionIdleMs - 5 * minuteMs);
    expect(await isOpen(cookie)).toBe(false);
  });

  test("expires ninety days after it began, however much it is used", async () => {
    const { cookie } = await person.signedIn();
    for (let passed = 0; passed < 80; passed += 10) {
      app.pass(10 * dayMs);
      expect(await isOpen(cookie)).toBe(true);
    }
    app.pass(sessionAbsoluteMs - 80 * dayMs - 1);
    expect(await isOpen(cookie)).toBe(true);
    app.pass(1);
    expect(await isOpen(cookie)).toBe(false);
  });

  test("is ended by the sweep once it was idle for too long, and not before", async () => {
    const over = await person.signedIn();
    app.pass(sessionIdleMs - minuteMs);
    const running = await person.signedIn("sign-in", "other");
    app.pass(minuteMs);
    await sweepAccounts(app);
    await sweepAccounts(app);
    expect([await stateOf(over.session.id), await stateOf(running.session.id)]).toEqual(["expired", "active"]);
  });

  test("is deleted by the sweep ninety days after it began, although it was used lately", async () => {
    const { cookie, session } = await person.signedIn();
    for (let passed = 0; passed < 80; passed += 10) {
      app.pass(10 * dayMs);
      expect(await isOpen(cookie)).toBe(true);
    }
    app.pass(sessionAbsoluteMs - 80 * dayMs - 1);
    await sweepAccounts(app);
    expect(await stateOf(session.id)).toBe("active");
    app.pass(1);
    await sweepAccounts(app);
    expect(await stateOf(session.id)).toBeUndefined();
  });

  test("isn't listed once it has expired, whether by its age or because it was idle, even before the sweep", async () => {
    const first = await person.signedIn();
    const listed = async () =>
      (await listSessions(app.db, first.account.id, app.clock())).map(({ id }) => id).toSorted();
    app.pass(sessionIdleMs - 1);
    const second = await person.signedIn("sign-in", "other");
    expect(await listed()).toEqual([first.session.id, second.session.id].toSorted());
    app.pass(1);
    expect(await listed()).toEqual([second.session.id]);
    for (let passed = 0; passed < sessionAbsoluteMs - 10 * dayMs; passed += 10 * dayMs) {
      app.pass(10 * dayMs);
      await isOpen(second.cookie);
    }
    expect(await listed()).toEqual([second.session.id]);
    app.pass(10 * dayMs);
    expect(await listed()).toEqual([]);
  });
});

describe("a re-authentication", () => {
  test("creates a new token and ends the old one at the same moment", async () => {
    const before = await person.signedIn();
    app.pass(minuteMs);
    const { requestId, digits } = await person.asked("reauthentication", "browser", before.account.id);
    const proven = await person.prove(requestId, digits, "browser", before.token);
    expect(await isOpen(before.cookie)).toBe(false);
    expect(proven.ok && (await isOpen(proven.value))).toBe(true);
    expect(await stateOf(before.session.id)).toBe("rotated");
    expect(await linesOf(before.account.id, "confirmed")).toBe(1);
  });

  test("allows protected actions for fifteen minutes, exact to the millisecond", async () => {
    const viewer = await person.signedIn();
    app.pass(reauthenticationMs - 1);
    expect(await endOtherSessions(app, viewer)).toMatchObject({ ok: true });
    app.pass(1);
    expect(await endOtherSessions(app, viewer)).toEqual({ ok: false, refusal: { reason: "proof-stale" } });
  });
});

describe("a request whose session ended while it was running", () => {
  test("ends no other session, changes no profile, and neither closes nor restores an account", async () => {
    const thief = await person.signedIn();
    app.pass(minuteMs);
    const owner = await person.signedIn("sign-in", "owner");
    await endOtherSessions(app, owner);
    expect(await endOtherSession(app, thief, owner.session.id)).toMatchObject({ ok: false });
    await endOtherSessions(app, thief);
    await changeProfile(app, thief, { name: "Thief", timeZone: "UTC" });
    expect(await closeAccount(app, thief)).toEqual({ ok: false, refusal: { reason: "proof-stale" } });
    expect(await isOpen(owner.cookie)).toBe(true);

    expect(await closeAccount(app, owner)).toMatchObject({ ok: true });
    const viewer = await findSignedIn(app, owner.cookie);
    if (!viewer) throw new Error("The session of the closed account still works");
    expect(await restoreAccount(app, { ...viewer, session: thief.session })).toMatchObject({ ok: false });
    const after = await findSignedIn(app, owner.cookie);
    expect(after?.account).toMatchObject({ state: "closed", name: null });
  });
});

describe("ending other browsers", () => {
  test("forty times at the same time ends one session once, with one email and one log entry", async () => {
    const viewer = await person.signedIn();
    app.pass(minuteMs);
    const other = await person.signedIn("sign-in", "other");
    const before = app.emails.length;
    const ended = await Promise.all(Array.from({ length: 40 }, () => endOtherSession(app, viewer, other.session.id)));
    await app.settled();
    expect(ended.filter(({ ok }) => ok)).toHaveLength(1);
    expect(app.emails.length - before).toBe(1);
    const at = formatMoment(app.clock(), viewer.account);
    const [sentence = ""] = emailOf({ template: "sessions-ended", by: "Firefox on Linux", at }).before;
    expect(app.emails.at(-1)?.text.replaceAll(/\s+/g, " ")).toContain(sentence.replaceAll(/\s+/g, " "));
    expect(await linesOf(viewer.account.id, "session-ended")).toBe(1);
    expect(await isOpen(other.cookie)).toBe(false);
  });

  test("excludes the current session, and sends no email if there is no other", async () => {
    const viewer = await person.signedIn();
    const before = app.emails.length;
    expect(await endOtherSession(app, viewer, viewer.session.id)).toMatchObject({
      refusal: { reason: "session-unknown" },
    });
    expect(await endOtherSessions(app, viewer)).toMatchObject({ ok: true });
    await app.settled();
    expect(app.emails.length).toBe(before);
    expect(await linesOf(viewer.account.id, "other-sessions-ended")).toBe(0);
    expect(await isOpen(viewer.cookie)).toBe(true);
  });
});
