import { idOf } from "#tests/support/ids.ts";
import { type EmailId, noEmail, type RequestId, noRequest } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { retryCodeEmail } from "#app/modules/accounts/commands/retry-code-email.server.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import { findOwnRequest } from "#app/modules/accounts/reads/find-own-request.server.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { codeLifeMs, type Purpose } from "#app/modules/accounts/codes/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { retryWaitsMs } from "#app/modules/email/rules.ts";
import { showRequest } from "#app/routes/verify/show-request.server.ts";
import { codeIn, type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { runCronJobs } from "#workers/cron.ts";

let app: TestApp;
let people = 0;
let address = "";

beforeEach(async () => {
  app = testApp({ payments: null });
  app.isEmailDown = true;
  people += 1;
  address = `person-${people}@example.com`;
  await env.DB.exec("delete from emails");
});

const browser = "browser";

async function ask(purpose: Purpose = "sign-up", again = false, to = address): Promise<RequestId> {
  const parsed = parseEmailAddress(to);
  if (!parsed) throw new Error("not an address");
  const ip = `192.0.2.${people}`;
  const request = await requestCode(app, { address: parsed, purpose, browserToken: browser, ip, carried: {}, again });
  if (!request.ok) throw new Error(`refused: ${request.refusal.reason}`);
  await app.settled();
  return request.value.requestId;
}

/** The button "send another code" of the page. False: it would send another one. */
async function press(requestId: RequestId): Promise<boolean> {
  const code = await findOwnRequest(app, requestId, browser);
  if (!code) throw new Error("no such request");
  const hurried = await retryCodeEmail(app, code);
  await app.settled();
  return hurried;
}

async function page(requestId: RequestId) {
  const shown = await showRequest(app, requestId, browser);
  if (shown.kind !== "here") throw new Error(`the request is ${shown.kind}`);
  return shown;
}

function prove(requestId: RequestId, digits = codeIn(app, address)) {
  const device = "Firefox on Linux";
  return proveAddress(app, { requestId, digits, browserToken: browser, sessionToken: null, device, country: null });
}

async function count(table: string, where = "1"): Promise<number> {
  const row = await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>();
  return row?.n ?? 0;
}

const accounts = () => count("accounts", `email_canonical = '${address}'`);

async function codeRow(id: string) {
  const row = env.DB.prepare("select state, expires_at, email_id from codes where id = ?").bind(id);
  return row.first<{ state: string; expires_at: number; email_id: EmailId }>();
}

/** The cron job runs each minute, as it does in production. */
async function runCron(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    app.pass(minuteMs);
    await runCronJobs(app);
    await app.settled();
  }
}

describe("with email down", () => {
  test("the page says so immediately, there is no account, and once email is back the code opens one", async () => {
    const id = await ask();
    expect(await page(id)).toMatchObject({ delivery: "late", over: null, triesLeft: 5 });
    expect(await accounts()).toBe(0);
    await runCron(2);
    expect(await page(id)).toMatchObject({ delivery: "late", over: null });
    app.isEmailDown = false;
    await runCron(1);
    expect(await page(id)).toMatchObject({ delivery: "sent", over: null, expiresAt: app.clock() + codeLifeMs });
    const results = await Promise.all(Array.from({ length: 5 }, () => prove(id)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await accounts()).toBe(1);
    expect(app.emails).toHaveLength(1);
  });

  test("the page doesn't reveal whether an account exists", async () => {
    app.isEmailDown = false;
    expect((await prove(await ask())).ok).toBe(true);
    app.isEmailDown = true;
    app.pass(hourMs);
    const known = await page(await ask("sign-in"));
    const unknown = await page(await ask("sign-in", false, `nobody-${people}@example.com`));
    const plain = { requestId: "", address: "", maskedAddress: "" };
    expect({ ...known, ...plain }).toEqual({ ...unknown, ...plain });
  });

  test("the page takes no more round trips than while email works", async () => {
    const id = await ask();
    const before = app.trips.toDatabase;
    await page(id);
    expect(app.trips.toDatabase - before).toBe(1);
  });
});

describe("a code's ten minutes", () => {
  test("begin when its email is sent, even at the last attempt, sixteen hours later", async () => {
    const id = await ask();
    for (const wait of retryWaitsMs.slice(1)) {
      expect(await page(id)).toMatchObject({ delivery: "late", over: null });
      app.isEmailDown = wait !== retryWaitsMs.at(-1);
      app.pass(wait);
      await runCronJobs(app);
    }
    expect(await page(id)).toMatchObject({ delivery: "sent", over: null, expiresAt: app.clock() + codeLifeMs });
    app.pass(codeLifeMs - 1);
    expect((await prove(id)).ok).toBe(true);
    expect(await accounts()).toBe(1);
  });

  test("end exactly to the millisecond", async () => {
    const id = await ask();
    app.isEmailDown = false;
    await runCron(1);
    app.pass(codeLifeMs);
    expect(await prove(id)).toEqual({ ok: false, refusal: { reason: "code-expired" } });
  });

  test("are set by the next sweep if the Worker was killed after sending, from the time of sending, once only", async () => {
    const id = await ask();
    app.isEmailDown = false;
    app.pass(minuteMs);
    const emailId = (await codeRow(id))?.email_id ?? noEmail;
    expect(await deliverEmail(app, emailId)).toBe("sent");
    const sentAt = app.clock();
    expect((await codeRow(id))?.expires_at).toBeGreaterThan(sentAt + hourMs);
    expect(await page(id)).toMatchObject({ delivery: "sent", expiresAt: sentAt + codeLifeMs });
    app.pass(4 * minuteMs);
    for (let run = 0; run < 2; run += 1) {
      await sweepAccounts(app);
      expect(await codeRow(id)).toMatchObject({ state: "issued", expires_at: sentAt + codeLifeMs });
      app.pass(5 * minuteMs);
    }
    await sweepAccounts(app);
    expect(await codeRow(id)).toMatchObject({ state: "expired", expires_at: sentAt + codeLifeMs });
  });

  test("have passed if the sweep comes late after a Worker was killed", async () => {
    const id = await ask();
    app.isEmailDown = false;
    app.pass(minuteMs);
    await deliverEmail(app, (await codeRow(id))?.email_id ?? noEmail);
    app.pass(codeLifeMs);
    await sweepAccounts(app);
    expect(await prove(id)).toEqual({ ok: false, refusal: { reason: "code-expired" } });
  });
});

describe("requesting another code while the first is queued", () => {
  test("retries the queued email immediately, uses no quota and creates no second code", async () => {
    const id = await ask();
    await runCron(8);
    const uses = await count("quota_uses");
    expect(await press(id)).toBe(true);
    expect(await page(id)).toMatchObject({ delivery: "late" });
    app.isEmailDown = false;
    app.pass(secondMs);
    expect(await press(id)).toBe(true);
    expect(app.emails).toHaveLength(1);
    expect(await page(id)).toMatchObject({ delivery: "sent", expiresAt: app.clock() + codeLifeMs });
    expect(await count("codes", `address = '${address}'`)).toBe(1);
    expect(await count("quota_uses")).toBe(uses);
    expect((await prove(id)).ok).toBe(true);
  });

  test("forty times at the same time retries once", async () => {
    const id = await ask();
    await runCron(8);
    const tries = () => env.DB.prepare("select tries from emails").first<number>("tries");
    const before = (await tries()) ?? 0;
    app.isEmailDown = false;
    await Promise.all(Array.from({ length: 40 }, () => press(id)));
    expect(await tries()).toBe(before + 1);
    expect(app.emails).toHaveLength(1);
  });

  test("doesn't affect an attempt that is running or about to start", async () => {
    const id = await ask();
    expect(await press(id)).toBe(true);
    expect(await env.DB.prepare("select tries from emails").first<number>("tries")).toBe(1);
  });

  test("is possible until the attempts are used up: then the page says so, and another code uses the quota", async () => {
    const id = await ask();
    await runCron(4);
    for (let tries = 3; tries < retryWaitsMs.length; tries += 1) expect(await press(id)).toBe(true);
    expect(await page(id)).toMatchObject({ delivery: "failed" });
    await sweepAccounts(app);
    expect(await page(id)).toMatchObject({ delivery: "failed", over: "code-expired" });
    expect(await codeRow(id)).toMatchObject({ state: "expired" });
    expect(await press(id)).toBe(false);
    app.isEmailDown = false;
    const second = await ask("sign-up", true);
    expect(second).not.toBe(id);
    expect((await prove(second)).ok).toBe(true);
    expect(await accounts()).toBe(1);
  });

  test("uses the quota when the email was sent or the code is used", async () => {
    app.isEmailDown = false;
    const id = await ask();
    expect(await press(id)).toBe(false);
    await prove(id);
    expect(await press(id)).toBe(false);
  });
});

test("emails whose codes were since replaced or used are sent late, and do nothing", async () => {
  const ids: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    ids.push(await ask());
    app.pass(31 * secondMs);
  }
  app.isEmailDown = false;
  await runCron(3);
  expect(app.emails).toHaveLength(3);
  const digits = app.emails.map((email) => /\d{8}/.exec(email.subject)?.[0] ?? "");
  const newest = ids.at(-1) ?? noRequest;
  const outcomes = [];
  for (const code of digits) {
    const result = await prove(idOf("req", newest), code);
    outcomes.push(result.ok ? "in" : result.refusal.reason);
  }
  expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(1);
  expect(await accounts()).toBe(1);
  expect(await count("sessions s join accounts a on a.id = s.account_id", `a.email_canonical = '${address}'`)).toBe(1);
  await runCron(12);
  expect(await count("codes", `address = '${address}' and state = 'issued'`)).toBe(0);
});
