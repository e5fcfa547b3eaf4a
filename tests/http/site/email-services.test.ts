import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { newCustomer } from "#tests/support/clients/customers.ts";
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

test("a site without what its email service needs answers 503 and says what is missing", async () => {
  const site = await startSite({ stripe: false, migrate: false, vars: { EMAIL_SERVICE: "resend" } });
  const { status } = await site.fetch("/healthz");
  expect(status).toBe(503);
  expect(await (await site.fetch("/")).text()).toContain("npx wrangler secret put RESEND_API_KEY");
  expect(JSON.stringify(site.logs())).toContain("RESEND_API_KEY is missing while EMAIL_SERVICE is resend");
  await site.close();
});
