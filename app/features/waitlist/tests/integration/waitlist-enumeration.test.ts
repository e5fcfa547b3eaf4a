import { beforeEach, describe, expect, test } from "vitest";
import { hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { watched } from "#tests/support/database/recording-database.ts";
import { ownNetwork, WaitlistDriver } from "../waitlist-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
});

describe("the answer doesn't reveal whether an address is on the list", () => {
  test("new, pending, waiting, rejected and left addresses get the same answer with the same work, and one email", async () => {
    await waitlist.pending("pending@example.com");
    await waitlist.waiting("waiting@example.com");
    await waitlist.waiting("rejected@example.com");
    await waitlist.setState("rejected@example.com", "rejected");
    await leaveWaitlist(app, await waitlist.waiting("left@example.com"));
    app.pass(minuteMs);
    const seen = [];
    for (const who of ["new", "pending", "waiting", "rejected", "left"]) {
      app.emails.length = 0;
      const { statements, using } = watched(app);
      const answer = await waitlist.join(`${who}@example.com`, { using });
      const untilAnswer = statements.map(({ query }) => query);
      await app.settled();
      seen.push({ answer, untilAnswer, emails: app.emails.length });
    }
    expect(seen[0]?.untilAnswer.length).toBeGreaterThan(5);
    expect(seen[0]).toMatchObject({ answer: { ok: true, value: null }, emails: 1 });
    for (const other of seen) expect(other).toEqual(seen[0]);
  });

  test("a waiting and a rejected address get the link to their entry, and keep their state", async () => {
    const entry = await waitlist.waiting("known@example.com");
    for (const state of ["waiting", "rejected"] as const) {
      await waitlist.setState("known@example.com", state);
      app.pass(minuteMs);
      await waitlist.join("known@example.com");
      await app.settled();
      expect(waitlist.emailed("entry", "known@example.com")).toBe(entry);
      expect(await waitlist.rows()).toMatchObject([{ state }]);
    }
    expect(app.emails).toHaveLength(3);
    expect(await waitlist.entry(entry)).toMatchObject({ state: "rejected", ahead: null });
  });

  test("an entry's link goes to the spelling that was confirmed, and to the account's if there is one", async () => {
    await waitlist.waiting("Known@example.com");
    app.pass(minuteMs);
    await waitlist.join("kNOWN@example.com");
    const person = new CodeDriver(app, "Signed@example.com");
    await person.signedIn();
    app.pass(minuteMs);
    await waitlist.join("sIGNED@example.com");
    await app.settled();
    const recipients = app.emails.map(({ to }) => to);
    expect(recipients).toEqual([...["Known", "Known", "Signed", "Signed"].map((name) => `${name}@example.com`)]);
  });

  test("an address gets one email each half minute and five an hour, and the answer stays the same", async () => {
    const answers = [];
    for (let round = 0; round < 8; round += 1) {
      answers.push(await waitlist.join("much@example.com"), await waitlist.join("much@example.com"));
      await app.settled();
      expect(app.emails).toHaveLength(Math.min(5, round + 1));
      app.pass(30 * secondMs);
    }
    expect(answers.every((answer) => answer.ok)).toBe(true);
    app.pass(hourMs);
    await waitlist.join("much@example.com");
    await app.settled();
    expect(app.emails).toHaveLength(6);
  });

  test("a network that asked for twenty emails is given the time to wait, the same for every address", async () => {
    await waitlist.waiting("inside@example.com");
    app.pass(minuteMs);
    const ip = ownNetwork();
    for (let requestCount = 0; requestCount < 20; requestCount += 1) {
      expect(await waitlist.join(`n${requestCount}@example.com`, { ip })).toMatchObject({ ok: true });
    }
    app.pass(10 * minuteMs);
    const tooMany = { ok: false, refusal: { reason: "too-many-from-network", retryAt: app.clock() + 50 * minuteMs } };
    // The same /64, another machine in it.
    expect(await waitlist.join("n20@example.com", { ip: ip.replace("::1", ":1:2:3:4") })).toEqual(tooMany);
    expect(await waitlist.join("inside@example.com", { ip })).toEqual(tooMany);
    expect(await waitlist.rows()).toHaveLength(21);
    expect(await waitlist.join("n20@example.com")).toMatchObject({ ok: true });
    app.pass(50 * minuteMs);
    expect(await waitlist.join("n21@example.com", { ip })).toMatchObject({ ok: true });
  });

  test("too many requests are refused before the database is read", async () => {
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: false };
    };
    const limited = testApp({ gate: app.gate, rateLimitOfForms: { limit } });
    const refused = await waitlist.join("flood@example.com", { using: limited, ip: "2001:db8:ffff:1:2:3:4:5" });
    expect(refused).toEqual({
      ok: false,
      refusal: { reason: "too-many-from-network", retryAt: limited.clock() + minuteMs },
    });
    expect(keys).toEqual(["waitlist:2001:db8:ffff:1"]);
    expect(await waitlist.rows()).toEqual([]);
  });

  test("a rate limiter that fails doesn't prevent joining, and is reported", async () => {
    const reported: unknown[] = [];
    const broken = { limit: async () => Promise.reject(new Error("no answer")) };
    const using = { ...app, rateLimitOfForms: broken, report: (error: unknown) => reported.push(error) };
    expect(await waitlist.join("uncovered@example.com", { using })).toMatchObject({ ok: true });
    expect(reported).toEqual([new Error("no answer")]);
    expect(await waitlist.rows()).toHaveLength(1);
  });
});
