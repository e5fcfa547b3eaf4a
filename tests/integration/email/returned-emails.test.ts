import { createHmac } from "node:crypto";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { openReturnsReader } from "#app/integrations/email/returns/open-returns-reader.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { recordReturns } from "#app/modules/email/commands/record-returns.server.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import { showRequest } from "#app/routes/verify/show-request.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const now = Date.UTC(2026, 10, 20, 12);
const secret = `whsec_${btoa("a signing secret of this test, 32")}`;
const to = "mara@example.com";

/** As Standard Webhooks and Svix sign; the prefix is one of theirs. */
function signed(body: string, { prefix = "svix", key = secret, at = now, id = "msg_1" } = {}): Headers {
  const timestamp = String(Math.floor(at / 1000));
  const bytes = Buffer.from(key.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", bytes).update(`${id}.${timestamp}.${body}`).digest("base64");
  return new Headers({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `v1,AAAA v1,${signature}`,
  });
}

const password = (text: string) => new Headers({ Authorization: `Basic ${btoa(text)}` });

function reader(service: string) {
  const open = openReturnsReader({ EMAIL_SERVICE: service, EMAIL_WEBHOOK_SECRET: secret }, () => now);
  if (!open) throw new Error(`${service} has no reader`);
  return open;
}

const nothing = { ok: true, value: { returns: [], confirmUrl: null } };
const returned = (kind: string) => ({
  ok: true,
  value: { returns: [{ kind, serviceId: "id-1", address: to }], confirmUrl: null },
});
const sns = (message: object) => ({ Type: "Notification", Message: JSON.stringify(message) });
const taken = { messageId: "id-1" };

describe("a report", () => {
  test.each([
    [
      "resend",
      { type: "email.bounced", data: { email_id: "id-1", to: [to], bounce: { type: "Permanent" } } },
      "bounced",
    ],
    ["resend", { type: "email.suppressed", data: { email_id: "id-1", to: [to] } }, "bounced"],
    ["resend", { type: "email.complained", data: { email_id: "id-1", to: [to] } }, "complained"],
    ["postmark", { RecordType: "Bounce", MessageID: "id-1", Email: to, Inactive: true }, "bounced"],
    ["postmark", { RecordType: "SpamComplaint", MessageID: "id-1", Email: to }, "complained"],
    [
      "ses",
      sns({ bounce: { bounceType: "Permanent", bouncedRecipients: [{ emailAddress: to }] }, mail: taken }),
      "bounced",
    ],
    ["ses", sns({ complaint: { complainedRecipients: [{ emailAddress: to }] }, mail: taken }), "complained"],
    ["http-relay", { kind: "bounced", id: "id-1", to }, "bounced"],
  ])("of %s %j means %s", async (service, report, kind) => {
    const body = JSON.stringify(report);
    const isSigned = service === "resend" || service === "http-relay";
    const headers = isSigned ? signed(body) : password(`reports:${secret}`);
    expect(await reader(service).read(headers, body)).toEqual(returned(kind));
  });

  test.each([
    ["resend", { type: "email.bounced", data: { email_id: "id-1", to: [to], bounce: { type: "Transient" } } }],
    ["resend", { type: "email.opened", data: { email_id: "id-1", to: [to] } }],
    ["resend", "text"],
    ["postmark", { RecordType: "Bounce", MessageID: "id-1", Email: to, Inactive: false }],
    ["postmark", { RecordType: "Delivery", MessageID: "id-1", Recipient: to }],
    ["ses", sns({ bounce: { bounceType: "Transient", bouncedRecipients: [{ emailAddress: to }] }, mail: taken })],
    ["ses", { Type: "Notification", Message: "no JSON" }],
    ["ses", { Type: "SubscriptionConfirmation", SubscribeURL: "https://sns.example.com/?Action=ConfirmSubscription" }],
    ["http-relay", { kind: "opened", id: "id-1", to }],
  ])("of %s %j means nothing", async (service, report) => {
    const body = JSON.stringify(report);
    const isSigned = service === "resend" || service === "http-relay";
    const headers = isSigned ? signed(body) : password(`reports:${secret}`);
    expect(await reader(service).read(headers, body)).toEqual(nothing);
  });

  test("of SNS that asks first is confirmed at Amazon's own address", async () => {
    const confirmUrl = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37";
    const body = JSON.stringify({ Type: "SubscriptionConfirmation", SubscribeURL: confirmUrl });
    const report = await reader("ses").read(password(`reports:${secret}`), body);
    expect(report).toEqual({ ok: true, value: { returns: [], confirmUrl } });
  });
});

describe("a report is refused", () => {
  const body = JSON.stringify({ type: "email.complained", data: { email_id: "id-1", to: [to] } });
  const refused = { ok: false, refusal: { reason: "report-unsigned" } };

  test.each([
    ["without a signature", new Headers(), body],
    ["with another secret", signed(body, { key: `whsec_${btoa("another secret of this test, 32 b")}` }), body],
    ["with another body", signed(body), `${body} `],
    ["that is older than five minutes", signed(body, { at: now - 301_000 }), body],
    ["that is more than five minutes ahead", signed(body, { at: now + 301_000 }), body],
    ["with the secret as a password", password(`reports:${secret}`), body],
  ])("%s", async (_, headers, sent) => {
    expect(await reader("resend").read(headers, sent)).toEqual(refused);
  });

  test.each([
    ["without a password", new Headers()],
    ["with another one", password("reports:wrong")],
    ["with the beginning of it", password(`reports:${secret.slice(0, -1)}`)],
    ["with an empty one", password("reports:")],
    ["with it as the name", password(secret)],
    ["that isn't Base64", new Headers({ Authorization: "Basic %%%" })],
  ])("of a service that sends a password, %s", async (_, headers) => {
    expect(await reader("postmark").read(headers, "{}")).toEqual(refused);
    expect(await reader("ses").read(headers, "{}")).toEqual(refused);
  });

  test("is accepted under both names of its headers", async () => {
    for (const prefix of ["svix", "webhook"])
      expect(await reader("resend").read(signed(body, { prefix }), body)).toEqual(returned("complained"));
  });

  test("is read by no one without a secret, and for a service that reports elsewhere", () => {
    expect(openReturnsReader({ EMAIL_SERVICE: "resend", EMAIL_WEBHOOK_SECRET: "" }, () => now)).toBe(null);
    expect(openReturnsReader({ EMAIL_SERVICE: "", EMAIL_WEBHOOK_SECRET: secret }, () => now)).toBe(null);
  });
});

describe("an email that came back", () => {
  let app: TestApp;
  let people = 0;

  beforeEach(async () => {
    const inner = testApp();
    app = Object.assign(inner, {
      email: {
        send: async (email: (typeof inner.emails)[number]) => {
          inner.emails.push(email);
          return { ok: true as const, value: { serviceId: `of-${email.id}` } };
        },
      },
    });
    people += 1;
  });

  /** An account with all emails switched on, and the service's id of a code that it waits for. */
  async function waiting() {
    const driver = new CodeDriver(app, `returned-${people}@example.com`);
    const owner = await driver.signedIn();
    app.pass(3_600_000);
    const { requestId } = await driver.asked("sign-in");
    const serviceId = `of-${app.emails.findLast((email) => email.to === driver.address)?.id}`;
    return { address: driver.address, owner, requestId, serviceId };
  }

  const rows = async () => (await env.DB.prepare("select * from emails order by id").all()).results;
  const offOf = async (accountId: Parameters<typeof findAccount>[1]) =>
    (await findAccount(app.db, accountId))[0]?.emailsOff;

  test("is shown to the browser that waits for it, and switches optional emails off", async () => {
    const { address, owner, requestId, serviceId } = await waiting();
    expect(await showRequest(app, requestId, "browser")).toMatchObject({ delivery: "sent" });
    await recordReturns(app, [{ kind: "bounced", serviceId, address: address.toUpperCase() }]);
    expect(await showRequest(app, requestId, "browser")).toMatchObject({ delivery: "address-refused" });
    expect(await showRequest(app, requestId, "another")).not.toHaveProperty("delivery");
    expect(await offOf(owner.account.id)).toEqual([...emailKinds]);
  });

  test("leaves no trace if we didn't send it", async () => {
    const { address, owner } = await waiting();
    const before = await rows();
    await recordReturns(app, [{ kind: "bounced", serviceId: "unknown", address }]);
    expect(await rows()).toEqual(before);
    expect(await offOf(owner.account.id)).toEqual([]);
  });

  test("leaves the account alone that has another address by now", async () => {
    const { owner, serviceId } = await waiting();
    await recordReturns(app, [{ kind: "bounced", serviceId, address: "former@example.com" }]);
    expect(await offOf(owner.account.id)).toEqual([]);
  });

  test("is a complaint from the first one on, in any order and however often it is reported", async () => {
    const { address, serviceId } = await waiting();
    for (const kind of ["bounced", "complained", "bounced", "complained"] as const) {
      app.pass(1);
      await recordReturns(app, [{ kind, serviceId, address }]);
    }
    const row = env.DB.prepare("select returned, returned_at from emails where service_id = ?").bind(serviceId);
    expect(await row.first()).toEqual({ returned: "complained", returned_at: app.clock() - 2 });
  });
});
