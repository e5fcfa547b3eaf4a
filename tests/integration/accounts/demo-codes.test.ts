import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { stripeId } from "#app/core/stripe/ids.ts";
import { createApp } from "#app/create-app.ts";
import { loadPaymentProvider } from "#app/integrations/stripe/load-payment-provider.server.ts";
import { hourMs } from "#app/core/time/time.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { askAsOperator, operatorToken } from "#tests/support/clients/operator-driver.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const address = "mara@people.example";
const stranger = "bea@people.example";
let app: TestApp;

beforeEach(async () => {
  app = testApp({ operatorToken });
  await emptyTables("operator_log", "codes", "emails", "quota_uses");
});

const askCode = (of: TestApp, about = address) => askAsOperator(of, "/demo-codes", { body: { address: about } });

describe("the code of a demo address", () => {
  test("is given to operators, and signs in as the emailed one no longer does", async () => {
    const driver = new CodeDriver(app, address);
    await driver.signedIn();
    app.pass(hourMs);
    const { requestId, digits } = await driver.asked("sign-in", "another browser");
    const { status, json } = await askCode(app);
    expect([status, json["purpose"]]).toEqual([200, "sign-in"]);
    expect((await driver.prove(requestId, digits, "another browser")).ok).toBe(false);
    expect((await driver.prove(requestId, String(json["code"]), "another browser")).ok).toBe(true);
    expect((await askCode(app)).status).toBe(404);
    const log = await env.DB.prepare("select call, subject from operator_log").all();
    expect(log.results).toContainEqual({ call: "demo-code", subject: null });
  });

  test("isn't given in production, nor of an address that can have a mailbox, nor when none was emailed", async () => {
    const driver = new CodeDriver(app, stranger);
    expect((await askCode(app, stranger)).json["code"]).toBe("no-code-requested");
    // Someone without an account gets an email without a code: nothing to replace.
    await driver.asked("sign-in");
    expect((await askCode(app, stranger)).json["code"]).toBe("no-code-requested");
    app.pass(hourMs);
    await driver.asked("sign-up", "third browser");
    expect((await askCode({ ...app, isProduction: true }, stranger)).json["code"]).toBe("no-demo");
    await new CodeDriver(app, "mara@company.com").asked();
    expect((await askCode(app, "mara@company.com")).json["code"]).toBe("address-not-reserved");
    expect((await askCode(app, stranger)).status).toBe(200);
  });
});

describe("a deployed site", () => {
  const deployed = (variables: object) =>
    createApp(
      { ...env, PUBLIC_ORIGIN: "https://try.company.com", ...variables },
      { waitUntil: () => undefined },
      {
        scheduledAt: 0,
      },
    );

  test.each([
    [{ SENTRY_ENVIRONMENT: "staging", STRIPE_SECRET_KEY: "sk_test_1" }, false],
    [{ SENTRY_ENVIRONMENT: "preview", STRIPE_SECRET_KEY: "" }, false],
    [{ SENTRY_ENVIRONMENT: "staging", STRIPE_SECRET_KEY: "sk_live_1" }, true],
    [{ SENTRY_ENVIRONMENT: "", STRIPE_SECRET_KEY: "" }, true],
    [{ SENTRY_ENVIRONMENT: "production", STRIPE_SECRET_KEY: "" }, true],
  ])("with %j is in production: %s, and never emails an address without a mailbox", async (variables, isProduction) => {
    const site = deployed(variables);
    expect(site.isProduction).toBe(isProduction);
    const sent = await site.email.send({ id: "mail_1", to: address, subject: "", text: "", html: "" });
    expect(sent).toMatchObject(isProduction ? { ok: false, refusal: { reason: "address-refused" } } : { ok: true });
  });
});

test("Stripe isn't asked about objects of the demo", async () => {
  const nowhere = { key: "sk_test_1", webhookSecrets: "", apiBase: "http://127.0.0.1:1" };
  const payments = loadPaymentProvider({ ...nowhere, automaticTax: false, billingAddress: "auto" });
  const missing = { ok: false, refusal: { reason: "provider-refused", code: "resource_missing" } };
  expect(await payments.fetchBilling(stripeId<"customer">("cus_demo_abc"))).toEqual(missing);
  expect(await payments.payInvoice(stripeId<"invoice">("in_demo_abc"), "key")).toEqual(missing);
  expect(await payments.openPortal(stripeId<"customer">("cus_demo_abc"), "https://site.example")).toEqual(missing);
  expect(await payments.withOwnDeadline().listEvents(stripeId<"event">("evt_demo_abc"))).toEqual(missing);
  expect(await payments.deleteCustomer(stripeId<"customer">("cus_demo_abc"))).toEqual({ ok: true, value: null });
});
