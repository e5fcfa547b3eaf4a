import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { EmailTransport } from "#app/integrations/email/email-transport.ts";
import { newId } from "#app/core/id.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { deliverDueEmails, deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { resendEmail } from "#app/modules/email/commands/resend-email.server.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import { retryCodeEmail } from "#app/modules/accounts/commands/retry-code-email.server.ts";
import { findOwnRequest } from "#app/modules/accounts/reads/find-own-request.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { showRequest } from "#app/routes/verify/show-request.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

type Refusal = Extract<Awaited<ReturnType<EmailTransport["send"]>>, { ok: false }>["refusal"];

const noQuota: Refusal = { reason: "quota-exhausted", retryAfterMs: null };

const code: EmailContent = {
  template: "code",
  purpose: "sign-up",
  code: "40712836",
  validMs: 600_000,
  url: "https://a.example/verify",
};
const notice: EmailContent = { template: "passkey-removed", name: "Phone" };

let app: TestApp;
/** What the service refuses from now on; null: it accepts. */
let refusal: Refusal | null = null;
/** Recipients of every try, oldest first. */
let tried: string[] = [];
let people = 0;

beforeEach(async () => {
  refusal = null;
  tried = [];
  const inner = testApp();
  app = Object.assign(inner, {
    email: {
      send: async (email: Parameters<EmailTransport["send"]>[0]) => {
        tried.push(email.to);
        if (refusal) return { ok: false as const, refusal };
        inner.emails.push(email);
        return { ok: true as const, value: { serviceId: null } };
      },
    },
  });
  await env.DB.exec("delete from emails");
});

async function queue(to: string, content: EmailContent) {
  const email = await sealEmail(app, to, content, newId("mail", app.random).slice(5));
  await app.db.batch([addEmail(app.db, email)]);
  return email.id;
}

const row = (id: string) =>
  env.DB.prepare("select state, tries, refusal, next_try_at from emails where id = ?").bind(id).first();

describe("while the service's quota is used up", () => {
  test("codes are tried first, and nothing else in that run", async () => {
    for (let count = 0; count < 30; count += 1) await queue(`notice-${count}@example.com`, notice);
    app.pass(1);
    await queue("waiting@example.com", code);
    refusal = noQuota;
    await deliverDueEmails(app);
    expect(tried).toEqual(["waiting@example.com"]);
  });

  test("emails without a code wait for the reset together, and what becomes free before goes to codes", async () => {
    const notices = [];
    for (let count = 0; count < 3; count += 1) notices.push(await queue(`notice-${count}@example.com`, notice));
    await queue("waiting@example.com", code);
    refusal = { reason: "quota-exhausted", retryAfterMs: 30 * minuteMs };
    await deliverDueEmails(app);
    for (let minutes = 0; minutes < 29; minutes += 1) {
      app.pass(minuteMs);
      await deliverDueEmails(app);
    }
    expect(new Set(tried)).toEqual(new Set(["waiting@example.com"]));
    refusal = null;
    app.pass(minuteMs);
    await deliverDueEmails(app);
    expect(tried.slice(-4)).toEqual(["waiting@example.com", ...notices.map((_, n) => `notice-${n}@example.com`)]);
  });

  test.each([
    ["an email without a code", notice],
    ["another code", code],
  ])("that refuses %s, codes that are due stay due, and go out as soon as the service takes one", async (_, first) => {
    const refused = await queue("refused@example.com", first);
    app.pass(1);
    await queue("waiting@example.com", code);
    const again: EmailContent = {
      template: "has-account",
      code: "81726354",
      validMs: 600_000,
      url: "https://a.example/verify",
    };
    await queue("again@example.com", again);
    await queue("notice@example.com", notice);
    refusal = noQuota;
    expect(await deliverEmail(app, refused)).toBe("quota-exhausted");
    refusal = null;
    await deliverDueEmails(app);
    expect(tried).toEqual(["refused@example.com", "waiting@example.com", "again@example.com"]);
  });

  test("one that has waited for two days is tried all the same, and then has failed", async () => {
    const old = await queue("old@example.com", notice);
    app.pass(2 * dayMs);
    await queue("waiting@example.com", code);
    refusal = noQuota;
    await deliverDueEmails(app);
    expect(await row(old)).toMatchObject({ state: "queued" });
    await deliverDueEmails(app);
    expect(await row(old)).toMatchObject({ state: "failed", refusal: "quota-exhausted" });
  });

  test("an email without a code is tried again each hour, uses up no try, and is sent once the quota is reset", async () => {
    const id = await queue("mara@example.com", notice);
    refusal = noQuota;
    for (let hours = 0; hours < 30; hours += 1) {
      expect(await deliverEmail(app, id)).toBe("quota-exhausted");
      expect(await row(id)).toEqual({
        state: "queued",
        tries: 0,
        refusal: "quota-exhausted",
        next_try_at: app.clock() + hourMs,
      });
      app.pass(hourMs);
    }
    refusal = null;
    expect(await deliverEmail(app, id)).toBe("sent");
    expect(await row(id)).toMatchObject({ state: "sent", tries: 1, refusal: null });
  });

  test("an email without a code has failed after two days, and an operator can resend it", async () => {
    const id = await queue("mara@example.com", notice);
    refusal = noQuota;
    app.pass(2 * dayMs);
    await deliverEmail(app, id);
    expect(await row(id)).toMatchObject({ state: "failed", refusal: "quota-exhausted" });
    refusal = null;
    expect(await resendEmail(app, id)).toMatchObject({ ok: true, value: { state: "sent", to: "mara@example.com" } });
  });
});

describe("the page that waits for a code", () => {
  async function asking(reason: Refusal | null) {
    people += 1;
    refusal = reason;
    const driver = new CodeDriver(app, `refused-${people}@example.com`);
    const { requestId } = await driver.asked();
    return { driver, requestId, page: (browser = "browser") => showRequest(app, requestId, browser) };
  }

  test("says that the quota is used up, and continues once it is reset; the button tries at once", async () => {
    const { page, requestId } = await asking(noQuota);
    expect(await page()).toMatchObject({ delivery: "quota-exhausted", over: null, quotaUntil: null });
    for (const minutes of [1, 2]) {
      app.pass(minutes * minuteMs);
      await deliverDueEmails(app);
    }
    expect(await page()).toMatchObject({ delivery: "quota-exhausted", over: null });
    refusal = null;
    const own = await findOwnRequest(app, requestId, "browser");
    expect(own && (await retryCodeEmail(app, own))).toBe(true);
    await app.settled();
    expect(await page()).toMatchObject({ delivery: "sent", over: null });
  });

  test("knows when the quota is reset if the service says so, until it is", async () => {
    const { page } = await asking({ reason: "quota-exhausted", retryAfterMs: 10 * minuteMs });
    expect(await page()).toMatchObject({ delivery: "quota-exhausted", quotaUntil: app.clock() + 10 * minuteMs });
    app.pass(10 * minuteMs);
    refusal = noQuota;
    await deliverDueEmails(app);
    expect(await page()).toMatchObject({ delivery: "quota-exhausted", quotaUntil: null });
  });

  test("says that the address is refused, at once, and tries no more", async () => {
    const { page } = await asking({ reason: "address-refused" });
    expect(await page()).toMatchObject({ delivery: "address-refused" });
    app.pass(dayMs - 1);
    await deliverDueEmails(app);
    expect(tried).toHaveLength(1);
  });

  test("says so, and the account gets no optional emails any more", async () => {
    const { driver, requestId } = await asking(null);
    const digits = /\b\d{8}\b/.exec(app.emails.at(-1)?.subject ?? "")?.[0] ?? "";
    const signedIn = await driver.prove(requestId, digits);
    const offOf = async () =>
      (await findAccountByAddress(app.db, driver.address)).map(({ emailsOff }) => emailsOff.length);
    expect([signedIn.ok, await offOf()]).toEqual([true, [0]]);
    app.pass(hourMs);
    refusal = { reason: "address-refused" };
    await driver.asked("sign-in");
    expect(await offOf()).toEqual([emailKinds.length]);
  });

  test("says so in the browser that asked, and in no other", async () => {
    const { page } = await asking({ reason: "address-refused" });
    expect(await page("another")).not.toHaveProperty("delivery");
  });

  test("says the same of an address with an account as of one without", async () => {
    const { driver, requestId } = await asking(null);
    const digits = /\b\d{8}\b/.exec(app.emails.at(-1)?.subject ?? "")?.[0] ?? "";
    expect(await driver.prove(requestId, digits)).toMatchObject({ ok: true });
    app.pass(hourMs);
    refusal = { reason: "address-refused" };
    const known = await driver.asked("sign-in");
    const unknown = await new CodeDriver(app, "no-account@example.com").asked("sign-in");
    const shown = await Promise.all([known, unknown].map(({ requestId: own }) => showRequest(app, own, "browser")));
    const [first, second] = shown.map((page) => ({ ...page, requestId: "", address: "" }));
    expect(first).toEqual(second);
    expect(first).toMatchObject({ delivery: "address-refused" });
  });
});
