import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { configurationProblems } from "#app/configuration.ts";
import { setUpSteps } from "#app/set-up-steps.ts";

const random = "0123456789abcdefghijklmnopqrstuv";
const deployed = {
  PUBLIC_ORIGIN: "https://shop.example",
  MAIL_FROM: "hello@shop.example",
  CODE_PEPPER: random,
  VISIT_SECRET: random,
  ENTITLEMENT_SIGNING_KEY: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  SENTRY_ENVIRONMENT: "production",
};
const testKeys = {
  CAPTCHA_SERVICE: "turnstile",
  TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
  TURNSTILE_SECRET_KEY: "1x0000000000000000000000000000000AA",
};

test.each<[own: Record<string, string>, problems: string[]]>([
  [{ CAPTCHA_SERVICE: "" }, []],
  [{ CAPTCHA_SERVICE: "recaptcha" }, ["CAPTCHA_SERVICE is none of turnstile"]],
  [
    { CAPTCHA_SERVICE: "turnstile", TURNSTILE_SITE_KEY: "0x4AAA" },
    ["TURNSTILE_SECRET_KEY is missing while CAPTCHA_SERVICE is turnstile"],
  ],
  [{ CAPTCHA_SERVICE: "turnstile", TURNSTILE_SITE_KEY: "0x4AAA", TURNSTILE_SECRET_KEY: "0x4AAB" }, []],
  [
    testKeys,
    [
      "TURNSTILE_SITE_KEY is a key for tests while SENTRY_ENVIRONMENT is production",
      "TURNSTILE_SECRET_KEY is a key for tests while SENTRY_ENVIRONMENT is production",
    ],
  ],
  [{ ...testKeys, SENTRY_ENVIRONMENT: "staging" }, []],
  [{ CAPTCHA_API_BASE: "https://stand-in.example" }, ["CAPTCHA_API_BASE is for local runs only"]],
])("variables with %j are reported as %j", (own, problems) => {
  expect(configurationProblems({ ...deployed, ...own })).toEqual(problems);
});

test("what the chosen captcha needs is listed, and nothing of it without one", () => {
  const steps = (variables: Record<string, string>) => setUpSteps(configurationProblems(variables), variables);
  expect(steps({ ...deployed, CAPTCHA_SERVICE: "turnstile" })).toEqual(
    expect.arrayContaining([
      { name: "TURNSTILE_SITE_KEY", state: "missing", command: "TURNSTILE_SITE_KEY=… npm run deploy" },
      {
        name: "TURNSTILE_SECRET_KEY",
        state: "missing",
        command: "npx wrangler secret put TURNSTILE_SECRET_KEY",
      },
    ]),
  );
  const names = steps(deployed).map(({ name }) => name);
  expect(names.join()).not.toMatch(/TURNSTILE|CAPTCHA/);
});
