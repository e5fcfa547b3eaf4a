import { expect, test } from "vitest";
import { configurationProblems } from "./configuration.ts";
import { setUpSteps } from "./set-up-steps.ts";

const complete = {
  PUBLIC_ORIGIN: "https://shop.example",
  MAIL_FROM: "hello@shop.example",
  CODE_PEPPER: "a-pepper-of-this-test-with-32-letters",
  VISIT_SECRET: "visits-of-this-test-have-32-letters-",
  ENTITLEMENT_SIGNING_KEY: "set",
};

const steps = (variables: object) => {
  const found = setUpSteps(configurationProblems(variables), variables);
  return Object.fromEntries(found.map(({ name, state, command }) => [name, `${state}: ${command}`]));
};

test("an empty Worker lists everything it needs, each with the command that sets it", () => {
  expect(steps({})).toEqual({
    PUBLIC_ORIGIN: "missing: PUBLIC_ORIGIN=… npm run deploy",
    MAIL_FROM: "missing: MAIL_FROM=… npm run deploy",
    CODE_PEPPER: "missing: npm run secrets -- --save ../secrets.json",
    VISIT_SECRET: "missing: npm run secrets -- --save ../secrets.json",
    ENTITLEMENT_SIGNING_KEY: "missing: npm run secrets -- --save ../secrets.json",
    STRIPE_SECRET_KEY: "optional: STRIPE_SECRET_KEY=… npm run stripe:setup -- --to production",
    STRIPE_WEBHOOK_SECRET: "optional: STRIPE_SECRET_KEY=… npm run stripe:setup -- --to production",
    OPERATOR_TOKEN: "optional: npm run secrets -- --save ../secrets.json",
  });
});

test("what is set is named as set, and a value that can't be used as wrong", () => {
  const found = steps({
    ...complete,
    VISIT_SECRET: "short",
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_API_BASE: "http://x",
  });
  expect(found).toMatchObject({
    CODE_PEPPER: "set: npm run secrets -- --save ../secrets.json",
    VISIT_SECRET: "wrong: npx wrangler secret put VISIT_SECRET",
    STRIPE_SECRET_KEY: "set: STRIPE_SECRET_KEY=… npm run stripe:setup -- --to production",
    STRIPE_WEBHOOK_SECRET: "missing: STRIPE_SECRET_KEY=… npm run stripe:setup -- --to production",
    STRIPE_API_BASE: "wrong: STRIPE_API_BASE=… npm run deploy",
  });
});

test("a key or a signing secret that is wrong gets the command that replaces both", () => {
  const replace = "wrong: STRIPE_SECRET_KEY=… WORKER_STRIPE_SECRET_KEY=… npm run stripe:setup -- --to production";
  const hook = "whsec_of-this-test-with-32-letters-";
  const testKey = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: hook };
  expect(steps({ ...complete, ...testKey })).toMatchObject({ STRIPE_SECRET_KEY: replace });
  const noHook = { STRIPE_SECRET_KEY: "sk_live_1", STRIPE_WEBHOOK_SECRET: "sk_live_1" };
  expect(steps({ ...complete, ...noHook })).toMatchObject({ STRIPE_WEBHOOK_SECRET: replace });
});

test("what the chosen email service needs is listed, secrets with the command for secrets", () => {
  const found = steps({ ...complete, EMAIL_SERVICE: "ses", SES_ACCESS_KEY_ID: "AKIA" });
  expect(found).toMatchObject({
    SES_REGION: "missing: SES_REGION=… npm run deploy",
    SES_ACCESS_KEY_ID: "set: npx wrangler secret put SES_ACCESS_KEY_ID",
    SES_SECRET_ACCESS_KEY: "missing: npx wrangler secret put SES_SECRET_ACCESS_KEY",
  });
  expect(Object.keys(found)).not.toContain("RESEND_API_KEY");
  expect(steps({ ...complete, EMAIL_SERVICE: "smtp" })).toMatchObject({
    EMAIL_SERVICE: "wrong: EMAIL_SERVICE=… npm run deploy",
  });
});

test("staging and previews get the commands for themselves", () => {
  const missing = { ...complete, CODE_PEPPER: "", MAIL_FROM: "", EMAIL_SERVICE: "resend" };
  const staging = { SENTRY_ENVIRONMENT: "staging", PUBLIC_ORIGIN: "https://shop-staging.ada.workers.dev" };
  expect(steps({ ...missing, ...staging })).toMatchObject({
    CODE_PEPPER: "missing: npm run secrets -- --to staging --save ../staging-secrets.json",
    MAIL_FROM: "missing: MAIL_FROM=… npm run deploy -- --to staging",
    RESEND_API_KEY: "missing: npx wrangler secret put RESEND_API_KEY --name shop-staging",
    STRIPE_SECRET_KEY: "optional: STRIPE_SECRET_KEY=… npm run stripe:setup -- --to staging",
  });
  const preview = { SENTRY_ENVIRONMENT: "preview", PUBLIC_ORIGIN: "https://preview.shop.example" };
  expect(steps({ ...missing, ...preview })).toMatchObject({
    RESEND_API_KEY: "missing: npx wrangler secret put RESEND_API_KEY --name <this Worker>",
    STRIPE_WEBHOOK_SECRET: "optional: STRIPE_SECRET_KEY=… npm run stripe:setup -- --to preview",
  });
});

test("no value is part of it", () => {
  const secret = "s3cret-value";
  const variables = { ...complete, VISIT_SECRET: secret, LAUNCH_GATE: `plan:${secret}`, SENTRY_DSN: `local-${secret}` };
  expect(JSON.stringify(setUpSteps(configurationProblems(variables), variables))).not.toContain(secret);
});

test("a config that can't be sold with leads to its own check", () => {
  expect(setUpSteps(["app/product/config.ts, plans: Two plans are free. (free-twice)"], complete)).toContainEqual({
    name: "app/product/config.ts",
    state: "wrong",
    command: "npm run check",
  });
});
