import { noRequest, type RequestId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { type Purpose, streakRetentionMs } from "#app/modules/accounts/codes/rules.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { findRateLimit, type RateLimiter } from "#app/core/rate-limiter.ts";
import { showRequest } from "#app/routes/verify/show-request.server.ts";
import { CodeDriver, wrongDigits } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

/** Each number of the quotas at both of its edges, to the millisecond. */
let app: TestApp;
let person: CodeDriver;
let people = 0;

beforeEach(() => {
  app = testApp();
  people += 1;
  person = new CodeDriver(app, `counted-${people}@example.com`);
});

test("a failing rate limiter doesn't prevent codes, and is reported", async () => {
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const cover = (limit: RateLimiter["limit"]) =>
    findRateLimit({ ...app, rateLimitOfForms: { limit }, report }, "codes", "192.0.2.7");
  expect(await cover(async () => Promise.reject(new Error("no answer")))).toBeNull();
  expect(reported).toEqual([new Error("no answer")]);
  expect(await cover(async () => ({ success: false }))).toEqual({
    reason: "too-many-from-network",
    retryAt: app.clock() + minuteMs,
  });
});

describe("quotas, exact to the millisecond,", () => {
  test("refuse a second email until thirty seconds have passed", async () => {
    await person.asked();
    app.pass(30 * secondMs - 1);
    expect(await person.ask()).toMatchObject({ refusal: { reason: "too-soon", retryAt: app.clock() + 1 } });
    app.pass(1);
    expect((await person.ask()).ok).toBe(true);
  });

  test.each([
    ["a sixth email until the first is an hour old", 5, (nth: number) => `203.0.${people}.${nth}`],
    ["one network a fourth", 3, () => `203.0.${people}.1`],
  ])("refuse %s", async (_, max, ipOf) => {
    for (let email = 0; email < max; email += 1) {
      expect((await person.ask({ ip: ipOf(email) })).ok).toBe(true);
      app.pass(minuteMs);
    }
    app.pass((60 - max) * minuteMs - 1);
    const refusal = { reason: "too-many-emails", retryAt: app.clock() + 1 };
    expect(await person.ask({ ip: ipOf(100) })).toMatchObject({ refusal });
    app.pass(1);
    expect((await person.ask({ ip: ipOf(101) })).ok).toBe(true);
    // The window slides: the second is still within its hour.
    app.pass(30 * secondMs);
    expect(await person.ask({ ip: ipOf(102) })).toMatchObject({ refusal: { reason: "too-many-emails" } });
  });

  test("keep no one elsewhere from using a code, however many wrong ones a stranger's network enters, day after day", async () => {
    await person.signedIn();
    const attacker = "203.0.113.7";
    for (let round = 0; round < 24; round += 1) {
      app.pass(hourMs);
      const stranger = await person.ask({ purpose: "sign-in", browserToken: "stranger", ip: attacker });
      if (!stranger.ok) break;
      for (let tries = 0; tries < 5; tries += 1)
        await person.prove(stranger.value.requestId, wrongDigits(), "stranger");
    }
    expect(await person.ask({ purpose: "sign-in", browserToken: "stranger", ip: attacker })).toMatchObject({
      refusal: { reason: "paused" },
    });
    app.pass(minuteMs);
    const { requestId, digits } = await person.asked("sign-in", "another browser");
    expect((await person.prove(requestId, digits, "another browser")).ok).toBe(true);
  });

  test("leave all networks together no more tries than the emailed codes take", async () => {
    await person.signedIn();
    app.pass(hourMs);
    for (let network = 0; network < 40; network += 1) {
      const browser = `stranger ${network}`;
      const answer = await person.ask({ purpose: "sign-in", browserToken: browser, ip: `203.0.113.${network}` });
      app.pass(31 * secondMs);
      if (!answer.ok) continue;
      for (let tries = 0; tries < 10; tries += 1) await person.prove(answer.value.requestId, wrongDigits(), browser);
    }
    const counted = env.DB.prepare("select sum(wrong_tries) as n from codes where address = ? and purpose = 'sign-in'");
    expect(await counted.bind(person.address).first("n")).toBe(25);
  });

  test("refuse an eleventh try until the first is an hour old", async () => {
    for (const wrong of [5, 4]) {
      const { requestId } = await person.asked();
      for (let tries = 0; tries < wrong; tries += 1) await person.prove(requestId, wrongDigits());
      app.pass(minuteMs);
    }
    app.pass(57 * minuteMs);
    const { requestId, digits } = await person.asked();
    await person.prove(requestId, wrongDigits());
    app.pass(minuteMs - 1);
    expect(await person.prove(requestId, digits)).toMatchObject({
      refusal: { reason: "too-many-tries", retryAt: app.clock() + 1 },
    });
    app.pass(1);
    expect((await person.prove(requestId, digits)).ok).toBe(true);
  });

  test("allow twenty emails an hour from one network, for any number of addresses", async () => {
    const ask = (index: number, ip: string) => new CodeDriver(app, `${people}-${index}@example.com`).ask({ ip });
    const requests = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(index, `2001:db8:0:${people}::${index}`)),
    );
    expect(requests.filter(({ ok }) => ok)).toHaveLength(20);
    app.pass(hourMs - 1);
    expect(await ask(100, `2001:db8:0:${people}::ffff`)).toMatchObject({
      refusal: { reason: "too-many-from-network" },
    });
    expect((await ask(101, `2001:db8:1:${people}::1`)).ok).toBe(true);
    app.pass(1);
    expect((await ask(102, `2001:db8:0:${people}::ffff`)).ok).toBe(true);
  });

  test("pause an account for a day after a hundred wrong codes", async () => {
    await person.signedIn();
    app.pass(hourMs);
    const guess = async () => {
      const stranger = await person.ask({ purpose: "sign-in", browserToken: "stranger" });
      if (!stranger.ok) throw new Error(stranger.refusal.reason);
      for (let tries = 0; tries < 5; tries += 1)
        await person.prove(stranger.value.requestId, wrongDigits(), "stranger");
      app.pass(hourMs);
    };
    for (let round = 0; round < 20; round += 1) await guess();
    app.pass(dayMs - hourMs - 1);
    const refused = await person.ask({ purpose: "sign-in", browserToken: "stranger" });
    expect(refused).toMatchObject({ refusal: { reason: "paused", retryAt: app.clock() + 1 } });
    app.pass(1);
    expect((await person.ask({ purpose: "sign-in", browserToken: "stranger" })).ok).toBe(true);
  });
});

describe("a code is only valid", () => {
  test("for its purpose: a code for signing in confirms nothing else", async () => {
    const { account } = await person.signedIn();
    app.pass(minuteMs);
    const signIn = await person.asked("sign-in");
    app.pass(minuteMs);
    const proof = await person.asked("reauthentication", "browser", account.id);
    expect(await person.prove(proof.requestId, signIn.digits)).toMatchObject({ refusal: { reason: "wrong-code" } });
    expect((await person.prove(proof.requestId, proof.digits)).ok).toBe(true);
  });

  test("for its address: another person's code in the same browser is wrong", async () => {
    const other = new CodeDriver(app, `other-${people}@example.com`);
    const [own, foreign] = [await person.asked(), await other.asked()];
    expect(await person.prove(own.requestId, foreign.digits)).toMatchObject({ refusal: { reason: "wrong-code" } });
    expect((await other.prove(foreign.requestId, foreign.digits)).ok).toBe(true);
  });

  test("for its request, of which the newest two of a purpose are valid and share one quota", async () => {
    const codes = [];
    for (let round = 0; round < 3; round += 1) {
      codes.push(await person.asked());
      app.pass(30 * secondMs);
    }
    const [first, second, third] = codes;
    expect(await person.prove(third?.requestId ?? noRequest, first?.digits ?? "")).toMatchObject({
      refusal: { reason: "wrong-code", triesLeft: 4 },
    });
    // The wrong try counted for both valid codes: they share one quota.
    for (let tries = 0; tries < 4; tries += 1) await person.prove(second?.requestId ?? noRequest, wrongDigits());
    expect(await person.prove(third?.requestId ?? noRequest, third?.digits ?? "")).toMatchObject({
      refusal: { reason: "code-exhausted" },
    });
  });
});

describe("counters are deleted", () => {
  async function rowsOf(table: "wrong_streaks" | "known_browsers"): Promise<number | null> {
    await sweepAccounts(app);
    return env.DB.prepare(`select count(*) as n from ${table}`).first<number>("n");
  }

  beforeEach(() => emptyTables("wrong_streaks", "known_browsers"));

  test("for a series of wrong tries, thirty days after the last one", async () => {
    const { requestId } = await person.asked();
    await person.prove(requestId, wrongDigits());
    app.pass(minuteMs);
    await person.prove(requestId, wrongDigits());
    app.pass(streakRetentionMs);
    expect(await rowsOf("wrong_streaks")).toBe(1);
    app.pass(1);
    expect(await rowsOf("wrong_streaks")).toBe(0);
  });

  test("for a pause, not before it ends, even if the time of the last try wasn't stored", async () => {
    await env.DB.prepare("insert into wrong_streaks (quota, count, paused_until) values ('paused', 0, ?)")
      .bind(app.clock() + 1)
      .run();
    expect(await rowsOf("wrong_streaks")).toBe(1);
    app.pass(1);
    expect(await rowsOf("wrong_streaks")).toBe(0);
  });

  test("for a browser, when its cookie expires, 400 days after it last signed in", async () => {
    await person.signedIn();
    app.pass(dayMs);
    await person.signedIn("sign-in");
    app.pass(400 * dayMs);
    expect(await rowsOf("known_browsers")).toBe(1);
    app.pass(1);
    expect(await rowsOf("known_browsers")).toBe(0);
  });
});

test("forty simultaneous wrong guesses at two codes count ten in the hour", async () => {
  const first = await person.asked();
  await Promise.all(Array.from({ length: 40 }, () => person.prove(first.requestId, wrongDigits())));
  app.pass(30 * secondMs);
  const second = await person.asked();
  await Promise.all(Array.from({ length: 40 }, () => person.prove(second.requestId, wrongDigits())));
  const tried = env.DB.prepare(
    "select count(*) as n from quota_uses u join codes c on u.quota = json_extract(c.quotas, '$.stranger.tries') where c.id = ?",
  );
  expect(await tried.bind(second.requestId).first("n")).toBe(10);
  expect(await person.prove(second.requestId, second.digits)).toMatchObject({ refusal: { reason: "too-many-tries" } });
});

describe("with the tries of the hour used up,", () => {
  async function usedUp(purpose: Purpose): Promise<RequestId> {
    const { requestId } = await person.asked(purpose, "stranger");
    for (let tries = 0; tries < 5; tries += 1) await person.prove(requestId, wrongDigits(), "stranger");
    app.pass(minuteMs);
    const second = await person.asked(purpose, "stranger");
    for (let tries = 0; tries < 5; tries += 1) await person.prove(second.requestId, wrongDigits(), "stranger");
    app.pass(minuteMs);
    return second.requestId;
  }

  const emailsTo = (address: string) => app.emails.filter(({ to }) => to === address).length;

  test.each([{ who: "with an account" }, { who: "without one" }])(
    "no email is sent to an address $who, the quota of emails isn't charged, and the page says until when",
    async ({ who }) => {
      if (who === "with an account") await person.signedIn();
      app.pass(hourMs);
      const before = emailsTo(person.address);
      const requestId = await usedUp("sign-in");
      const retryAt = app.clock() + 58 * minuteMs;
      const shut = { reason: "too-many-tries", retryAt };
      expect(await showRequest(app, requestId, "stranger")).toMatchObject({ kind: "here", shut, triesLeft: 0 });
      for (let round = 0; round < 10; round += 1) {
        expect(await person.ask({ purpose: "sign-in", browserToken: "stranger" })).toEqual({
          ok: false,
          refusal: shut,
        });
      }
      await app.settled();
      expect(emailsTo(person.address)).toBe(before + 2);
      app.pass(58 * minuteMs);
      expect(await showRequest(app, requestId, "stranger")).toMatchObject({ shut: null, over: "code-exhausted" });
      const { requestId: next, digits } = await person.asked("sign-in", "stranger");
      if (who === "with an account") expect((await person.prove(next, digits, "stranger")).ok).toBe(true);
    },
  );

  test("a browser that signed in to the address before is not affected", async () => {
    await person.signedIn();
    app.pass(hourMs);
    await usedUp("sign-in");
    const { requestId, digits } = await person.asked("sign-in");
    expect(await showRequest(app, requestId, "browser")).toMatchObject({ shut: null, triesLeft: 5 });
    expect((await person.prove(requestId, digits)).ok).toBe(true);
  });
});
