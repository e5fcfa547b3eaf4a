import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { product } from "#app/product/config.ts";
import { refusedEmailMessages } from "#app/routes/verify/messages.ts";
import { askForCode, newCustomer } from "#tests/support/clients/customers.ts";
import { postmarkProtocol } from "#tests/support/email/postmark-protocol.ts";
import { relayProtocol } from "#tests/support/email/relay-protocol.ts";
import { resendProtocol } from "#tests/support/email/resend-protocol.ts";
import { sesProtocol } from "#tests/support/email/ses-protocol.ts";
import { startStandIn } from "#tests/support/email/start-stand-in.ts";
import { localVars, startSite } from "#tests/support/site/site.ts";

test.each([
  ["resend", resendProtocol],
  ["postmark", postmarkProtocol],
  ["ses", sesProtocol],
  ["http-relay", relayProtocol],
])("the built site sends the code to sign up through %s", async (_, protocol) => {
  const service = await startStandIn(protocol);
  const site = await startSite({ stripe: false, vars: service.variables });
  const emailTo = (address: string) => service.received.find(({ to }) => to === address);
  const codeTo = async (address: string) => {
    await expect.poll(() => emailTo(address)).toBeDefined();
    return /\b\d{8}\b/.exec(emailTo(address)?.subject ?? "")?.[0] ?? "";
  };
  const { visitor, address } = await newCustomer({ ...site, codeTo });
  expect(visitor.path()).toBe("/settings");
  expect(emailTo(address)).toMatchObject({
    from: `${product.name} <${localVars.MAIL_FROM}>`,
    replyTo: product.support,
    html: expect.stringMatching(/^<!doctype html>/i),
  });
  await site.close();
  await service.close();
});

test("the page that waits for a code says when the quota is reset, if the service does", async () => {
  const service = await startStandIn(relayProtocol);
  const site = await startSite({ stripe: false, vars: service.variables });
  const visitor = await site.visitor().open("/signup");
  service.be("quota-exhausted");
  await askForCode(visitor, "mara@example.com");
  const { title, text, textUntil } = refusedEmailMessages.en["quota-exhausted"];
  await expect.poll(async () => (await visitor.open(visitor.url)).text()).toContain(title);
  expect(visitor.text()).toContain(textUntil(refusalMessages.en.wait(3600)));
  expect(visitor.text()).not.toContain(text);
  await site.close();
  await service.close();
});

test("the page that waits for a code says when the quota is used up, and when the email came back", async () => {
  const service = await startStandIn(resendProtocol);
  const secret = `whsec_${btoa("a signing secret of this test, 32")}`;
  const site = await startSite({ stripe: false, vars: { ...service.variables, EMAIL_WEBHOOK_SECRET: secret } });
  const visitor = await site.visitor().open("/signup");
  service.be("quota-exhausted");
  await askForCode(visitor, "mara@example.com");
  const { "quota-exhausted": quota, "address-refused": refused } = refusedEmailMessages.en;
  await expect.poll(async () => (await visitor.open(visitor.url)).text()).toContain(quota.title);

  service.be("accepting");
  await site.runCron(Date.now() + 61_000);
  await expect.poll(() => service.received.length).toBe(1);
  expect((await visitor.open(visitor.url)).text()).not.toContain(quota.title);

  const report = { type: "email.bounced", data: { email_id: service.idOfNewest(), to: ["mara@example.com"] } };
  const body = JSON.stringify(report);
  const post = (headers: Record<string, string>) => site.fetch("/webhooks/email", { method: "POST", body, headers });
  const unsigned = await post({});
  expect([unsigned.status, unsigned.headers.get("WWW-Authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
  expect((await visitor.open(visitor.url)).text()).not.toContain(refused.title);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`msg_1.${timestamp}.${body}`).digest("base64");
  const headers = { "svix-id": "msg_1", "svix-timestamp": timestamp, "svix-signature": `v1,${signature}` };
  expect((await post(headers)).status).toBe(204);
  expect((await visitor.open(visitor.url)).text()).toContain(refused.title);
  await site.close();
  await service.close();
});

test("what Cloudflare publishes to a queue is shown to the browser that waits, and never repeats the email", async () => {
  const site = await startSite({ stripe: false });
  const visitor = await site.visitor().open("/signup");
  await askForCode(visitor, "mara@example.com");
  await site.codeTo("mara@example.com");
  const database = await site.database();
  const sent = await database.prepare("select service_id from emails").first<{ service_id: string }>();
  const { "address-refused": refused } = refusedEmailMessages.en;
  const eventOf = (what: string, details: object) => ({
    type: `cf.email.sending.message.${what}`,
    payload: { messageId: sent?.service_id, recipient: "mara@example.com", ...details },
  });
  const soft = await site.deliver(eventOf("bounced", { bounce: { type: "soft" } }));
  expect([soft.outcome, soft.retryBatch.retry]).toEqual(["ok", false]);
  expect((await visitor.open(visitor.url)).text()).not.toContain(refused.title);

  for (const event of ["not an event", eventOf("bounced", { bounce: { type: "hard" } })]) await site.deliver(event);
  expect((await visitor.open(visitor.url)).text()).toContain(refused.title);
  await database.exec("drop table emails");
  expect((await site.deliver(eventOf("complained", {}))).outcome).toBe("exception");
  await site.close();
});

test("a site without what its email service needs answers 503 and says what is missing", async () => {
  const site = await startSite({ stripe: false, migrate: false, vars: { EMAIL_SERVICE: "resend" } });
  const { status } = await site.fetch("/healthz");
  expect(status).toBe(503);
  expect(await (await site.fetch("/")).text()).toContain("npx wrangler secret put RESEND_API_KEY");
  expect(JSON.stringify(site.logs())).toContain("RESEND_API_KEY is missing while EMAIL_SERVICE is resend");
  await site.close();
});
