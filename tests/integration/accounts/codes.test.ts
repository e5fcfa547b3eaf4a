import { type RequestId, noRequest } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import type { Purpose } from "#app/modules/accounts/codes/rules.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { CodeDriver, wrongDigits } from "#tests/support/clients/code-driver.ts";
import { codeIn, type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";

let app: TestApp;
let person: CodeDriver;
let people = 0;
let address = "";

beforeEach(() => {
  app = testApp();
  people += 1;
  address = `person-${people}@example.com`;
  person = new CodeDriver(app, address);
});

afterEach(() => void vi.restoreAllMocks());

function ask(purpose: Purpose = "sign-up", browserToken = "browser", again = true) {
  return person.ask({ purpose, browserToken, again });
}

function requestCode(purpose: Purpose = "sign-up", browserToken = "browser") {
  return person.asked(purpose, browserToken);
}

function prove(requestId: RequestId, digits: string, browserToken = "browser") {
  return person.prove(requestId, digits, browserToken);
}

/** A new code for every few wrong tries. */
async function tryWrongly(times: number): Promise<void> {
  const { requestId } = await requestCode();
  for (let tries = 0; tries < times; tries += 1) await prove(requestId, wrongDigits());
  app.pass(31 * secondMs);
}

async function signUp() {
  const { requestId, digits } = await requestCode();
  const proven = await prove(requestId, digits);
  if (!proven.ok) throw new Error(`refused: ${proven.refusal.reason}`);
  return proven.value;
}

async function count(table: string, where = "1"): Promise<number> {
  const row = await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>();
  return row?.n ?? 0;
}

describe("an emailed code", () => {
  test("opens an account and a session, and no account exists before it is entered", async () => {
    const { requestId, digits } = await requestCode();
    expect(await count("accounts", `email_canonical = '${address}'`)).toBe(0);
    const proven = await prove(requestId, digits);
    expect(proven).toMatchObject({ ok: true, value: { isNew: true, purpose: "sign-up" } });
    const viewer = proven.ok ? await findSignedIn(app, proven.value) : null;
    expect(viewer?.account.email).toBe(address);
  });

  test("isn't stored in plain text, neither in the code's row nor in the outbox", async () => {
    const { digits } = await requestCode();
    const codes = await env.DB.prepare("select * from codes where address = ?").bind(address).all();
    expect(JSON.stringify(codes.results)).not.toContain(digits);
    const emails = await env.DB.prepare("select * from emails").all();
    expect(JSON.stringify(emails.results)).not.toContain(digits);
    expect(JSON.stringify(emails.results)).not.toContain(address);
  });

  test("is used once by forty simultaneous requests", async () => {
    const { requestId, digits } = await requestCode();
    const results = await Promise.all(Array.from({ length: 40 }, () => prove(requestId, digits)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await count("accounts", `email_canonical = '${address}'`)).toBe(1);
    expect(await count("sessions s join accounts a on a.id = s.account_id", `a.email_canonical = '${address}'`)).toBe(
      1,
    );
    const refusals = results.flatMap((result) => (result.ok ? [] : [result.refusal.reason]));
    expect(new Set(refusals)).toEqual(new Set(["code-used"]));
  });

  test("is compared in constant time by the platform, right or wrong", async () => {
    const first = await requestCode();
    app.pass(31 * secondMs);
    const second = await requestCode();
    const verify = vi.spyOn(crypto.subtle, "verify");
    for (const digits of [wrongDigits(), first.digits]) {
      verify.mockClear();
      await prove(second.requestId, digits);
      expect(verify).toHaveBeenCalledTimes(2);
    }
    verify.mockResolvedValue(false);
    const third = await requestCode();
    expect(await prove(third.requestId, third.digits)).toMatchObject({ refusal: { reason: "wrong-code" } });
  });

  test("works only in the browser that requested it", async () => {
    const { requestId, digits } = await requestCode();
    expect(await prove(requestId, digits, "another browser")).toEqual({ ok: false, refusal: { reason: "no-request" } });
    expect((await prove(requestId, digits)).ok).toBe(true);
  });

  test("expires after exactly ten minutes", async () => {
    const first = await requestCode();
    app.pass(10 * minuteMs - 1);
    expect((await prove(first.requestId, first.digits)).ok).toBe(true);
    const second = await requestCode("sign-in");
    app.pass(10 * minuteMs);
    expect(await prove(second.requestId, second.digits)).toEqual({ ok: false, refusal: { reason: "code-expired" } });
  });

  test("reports that it was used, or replaced by a newer one", async () => {
    const first = await requestCode();
    app.pass(31 * secondMs);
    const second = await requestCode();
    app.pass(31 * secondMs);
    const third = await requestCode();
    expect(await prove(first.requestId, wrongDigits())).toMatchObject({ refusal: { reason: "wrong-code" } });
    expect((await prove(third.requestId, second.digits)).ok).toBe(true);
    expect(await prove(second.requestId, second.digits)).toEqual({ ok: false, refusal: { reason: "code-used" } });
    expect(await prove(first.requestId, first.digits)).toEqual({ ok: false, refusal: { reason: "code-superseded" } });
  });
});

describe("the quotas of codes", () => {
  test("void a code after five wrong tries, and refuse the right one afterwards", async () => {
    const { requestId, digits } = await requestCode();
    const reasons = [];
    for (let round = 0; round < 5; round += 1) {
      const result = await prove(requestId, wrongDigits());
      reasons.push(result.ok ? "ok" : result.refusal);
    }
    expect(reasons).toEqual([
      { reason: "wrong-code", triesLeft: 4 },
      { reason: "wrong-code", triesLeft: 3 },
      { reason: "wrong-code", triesLeft: 2 },
      { reason: "wrong-code", triesLeft: 1 },
      { reason: "code-exhausted" },
    ]);
    expect(await prove(requestId, digits)).toEqual({ ok: false, refusal: { reason: "code-exhausted" } });
  });

  test("aren't reset by a resend: ten wrong tries an hour, for any codes", async () => {
    await tryWrongly(5);
    await tryWrongly(4);
    const { requestId, digits } = await requestCode();
    for (const typed of [wrongDigits(), digits]) {
      expect(await prove(requestId, typed)).toMatchObject({ ok: false, refusal: { reason: "too-many-tries" } });
    }
    app.pass(hourMs);
    const later = await requestCode();
    expect((await prove(later.requestId, later.digits)).ok).toBe(true);
  });

  test("prevent any comparison once the hour's tries are used up, so that further guesses gain nothing", async () => {
    await tryWrongly(5);
    await tryWrongly(4);
    app.pass(51 * minuteMs);
    const { requestId, digits } = await requestCode();
    for (const guess of [wrongDigits(), wrongDigits(), digits, wrongDigits()]) {
      expect(await prove(requestId, guess)).toMatchObject({ refusal: { reason: "too-many-tries" } });
    }
    expect(await count("codes", `id = '${requestId}' and state = 'issued' and wrong_tries = 1`)).toBe(1);
  });

  test("count five of forty simultaneous wrong guesses, and then void the code", async () => {
    const { requestId, digits } = await requestCode();
    const guesses = await Promise.all(Array.from({ length: 40 }, () => prove(requestId, wrongDigits())));
    expect(guesses.filter((result) => !result.ok && result.refusal.reason === "wrong-code")).toHaveLength(4);
    expect(await prove(requestId, digits)).toEqual({ ok: false, refusal: { reason: "code-exhausted" } });
  });

  test("count wrong digits once that are sent again, also by forty requests at the same moment", async () => {
    const { requestId, digits } = await requestCode();
    const [wrong, other] = [wrongDigits(), wrongDigits()];
    const once = { ok: false, refusal: { reason: "wrong-code", triesLeft: 4 } };
    const guesses = await Promise.all(Array.from({ length: 40 }, () => prove(requestId, wrong)));
    expect(guesses).toEqual(guesses.map(() => once));
    expect(await prove(requestId, other)).toMatchObject({ refusal: { reason: "wrong-code", triesLeft: 3 } });
    expect(await prove(requestId, wrong)).toMatchObject({ refusal: { reason: "wrong-code", triesLeft: 2 } });
    expect((await prove(requestId, digits)).ok).toBe(true);
  });

  test("count the same wrong digits again when another code was sent in between, which they might have matched", async () => {
    const first = await requestCode();
    const wrong = wrongDigits();
    await prove(first.requestId, wrong);
    app.pass(31 * secondMs);
    const second = await requestCode();
    expect(await prove(second.requestId, wrong)).toMatchObject({ refusal: { reason: "wrong-code", triesLeft: 4 } });
    expect(await count("codes", `id = '${first.requestId}' and wrong_tries = 2`)).toBe(1);
    expect(await prove(second.requestId, wrong)).toMatchObject({ refusal: { reason: "wrong-code", triesLeft: 4 } });
    expect(await count("codes", `id = '${first.requestId}' and wrong_tries = 2`)).toBe(1);
  });

  /** From a network of its own, since each has a share of a mailbox's emails. */
  const askElsewhere = (round: number) =>
    person.ask({ purpose: "sign-in", browserToken: `again ${round}`, again: true, ip: `203.0.113.${round}` });

  test("allow five emails an hour for an address, thirty seconds apart, also for forty simultaneous requests", async () => {
    const results = await Promise.all(Array.from({ length: 40 }, (_, index) => ask("sign-in", `browser ${index}`)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    for (let round = 0; round < 4; round += 1) {
      app.pass(30 * secondMs);
      expect((await askElsewhere(round)).ok).toBe(true);
    }
    app.pass(30 * secondMs);
    expect(await askElsewhere(4)).toMatchObject({ ok: false, refusal: { reason: "too-many-emails" } });
    await app.settled();
    expect(app.emails).toHaveLength(5);
  });

  test("aren't charged by a second click in the same browser, which leads to the pending request without an email", async () => {
    const first = await ask("sign-up", "browser", false);
    const second = await ask("sign-up", "browser", false);
    expect(second).toEqual(first);
    await app.settled();
    expect(app.emails).toHaveLength(1);
  });

  test("don't let strangers lock out a browser that signed in before", async () => {
    await signUp();
    app.pass(hourMs);
    for (let round = 0; round < 5; round += 1) {
      await ask("sign-in", "stranger");
      app.pass(30 * secondMs);
    }
    expect(await ask("sign-in", "stranger")).toMatchObject({ ok: false });
    const own = await requestCode("sign-in");
    expect((await prove(own.requestId, own.digits)).ok).toBe(true);
  });

  test("pause unknown browsers for a day after a hundred wrong codes in a row, and email the owner once", async () => {
    await signUp();
    app.pass(hourMs);
    // Two codes an hour are ten tries; ten hours of them are a hundred.
    for (let hour = 0; hour < 10; hour += 1) {
      for (let code = 0; code < 2; code += 1) {
        const stranger = await ask("sign-in", "stranger");
        if (!stranger.ok) throw new Error(stranger.refusal.reason);
        for (let tries = 0; tries < 5; tries += 1) await prove(stranger.value.requestId, wrongDigits(), "stranger");
        app.pass(30 * minuteMs);
      }
      app.pass(30 * minuteMs);
    }
    await app.settled();
    expect(app.emails.filter((email) => subjectOf("hundred-wrong-codes").test(email.subject))).toHaveLength(1);
    expect(await ask("sign-in", "stranger")).toMatchObject({ ok: false, refusal: { reason: "paused" } });
    const own = await requestCode("sign-in");
    expect((await prove(own.requestId, own.digits)).ok).toBe(true);
    app.pass(dayMs);
    expect((await ask("sign-in", "stranger")).ok).toBe(true);
  });
});

describe("the spelling of the address that emails are sent to", () => {
  test.each(["sign-in", "sign-up", "change-email"] as const)(
    "is the account's own for %s, whatever was typed",
    async (purpose) => {
      await signUp();
      app.pass(hourMs);
      await new CodeDriver(app, address.replace("p", "P")).ask({
        purpose,
        browserToken: "stranger",
        accountId: "acc_other",
      });
      await app.settled();
      expect(app.emails.map(({ to }) => to)).toEqual([address, address]);
    },
  );

  test("is the account's own for the warning after a hundred wrong codes", async () => {
    await signUp();
    app.pass(hourMs);
    const stranger = new CodeDriver(app, address.replace("p", "P"));
    for (let hour = 0; hour < 10; hour += 1) {
      for (let code = 0; code < 2; code += 1) {
        const request = await stranger.ask({ purpose: "sign-in", browserToken: "stranger" });
        if (!request.ok) throw new Error(request.refusal.reason);
        for (let tries = 0; tries < 5; tries += 1)
          await stranger.prove(request.value.requestId, wrongDigits(), "stranger");
        app.pass(30 * minuteMs);
      }
      app.pass(30 * minuteMs);
    }
    await app.settled();
    expect(new Set(app.emails.map(({ to }) => to))).toEqual(new Set([address]));
    expect(app.emails.at(-1)?.text).not.toMatch(/\b\d{8}\b/);
  });

  test("is what was typed if there is no account", async () => {
    await new CodeDriver(app, `New-${address}`).ask({ purpose: "sign-up" });
    await app.settled();
    expect(app.emails.map(({ to }) => to)).toEqual([`New-${address}`]);
  });
});

describe("the existence of an account for an address", () => {
  test("is revealed only by the email: log-in to an unknown address waits for a code that doesn't exist", async () => {
    const unknown = await ask("sign-in");
    await app.settled();
    expect(unknown.ok).toBe(true);
    expect(app.emails.at(-1)?.subject).toMatch(subjectOf("no-account"));
    const requestId = unknown.ok ? unknown.value.requestId : noRequest;
    expect(await prove(requestId, wrongDigits())).toEqual({
      ok: false,
      refusal: { reason: "wrong-code", triesLeft: 4 },
    });
  });

  test("isn't revealed at sign-up: the existing account's address receives a code that signs in", async () => {
    const first = await signUp();
    app.pass(hourMs);
    const again = await signUp();
    expect(codeIn(app, address)).toMatch(/^\d{8}$/);
    const { heading } = emailOf({ template: "has-account", code: "", validMs: 600_000, url: "" });
    expect(app.emails.at(-1)?.text).toContain(heading);
    expect(again).toMatchObject({ isNew: false, accountId: first.accountId });
  });
});
