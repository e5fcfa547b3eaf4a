import { generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ProductConfig } from "./modules/catalogue/rules.ts";
import { isTestKey } from "#app/integrations/stripe/keys.ts";
import { product } from "./product/config.ts";
import {
  configurationProblems,
  listWeakSecrets,
  mailboxOf,
  secretIsSet,
  siteOrigin,
  trimVariables,
} from "./configuration.ts";

test.each([
  ["https://example.com", "https://evil.example/", "https://example.com"],
  ["https://example.com", "http://localhost:9000/", "https://example.com"],
  ["http://localhost:8787", "http://localhost:9000/login", "http://localhost:9000"],
  ["http://localhost:8787", "http://evil.example:9000/login", "http://localhost:8787"],
  ["http://localhost:8787", "https://localhost:9000/login", "http://localhost:8787"],
  ["http://localhost:8787", null, "http://localhost:8787"],
])("a site configured as %s links, for a request for %s, to %s", (configured, requested, origin) => {
  expect(siteOrigin(configured, requested)).toBe(origin);
});

test("only a local run with the emulator has a mailbox", () => {
  const [emulator, deployed] = ["http://localhost:8788", "https://example.com"];
  expect(mailboxOf({ PUBLIC_ORIGIN: "http://localhost:8787", STRIPE_API_BASE: emulator })).toBe(`${emulator}/mailbox`);
  expect(mailboxOf({ PUBLIC_ORIGIN: "http://localhost:8787", STRIPE_API_BASE: "" })).toBeNull();
  expect(mailboxOf({ PUBLIC_ORIGIN: deployed, STRIPE_API_BASE: emulator })).toBeNull();
  expect(mailboxOf({ PUBLIC_ORIGIN: deployed })).toBeNull();
});

const random = "0123456789abcdefghijklmnopqrstuv";
const hook = `whsec_${random}`;
const deployed = {
  PUBLIC_ORIGIN: "https://shop.example",
  MAIL_FROM: "hello@shop.example",
  CODE_PEPPER: random,
  VISIT_SECRET: random,
  ENTITLEMENT_SIGNING_KEY: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_WEBHOOK_SECRET: hook,
  OPERATOR_TOKEN: random,
  SENTRY_ENVIRONMENT: "production",
};

describe("variables of a site on a public origin", () => {
  test("are accepted as documented, also with several signing secrets and surrounding white space", () => {
    expect(configurationProblems(deployed)).toEqual([]);
    expect(configurationProblems({ ...deployed, STRIPE_WEBHOOK_SECRET: ` ${hook} ,\n${hook}\n` })).toEqual([]);
    const padded = Object.fromEntries(Object.entries(deployed).map(([name, value]) => [name, ` ${value}\n`]));
    expect(configurationProblems(padded)).toEqual([]);
    const unread = Object.fromEntries(Object.keys(deployed).map((name) => [name, secretIsSet]));
    const { PUBLIC_ORIGIN, MAIL_FROM } = deployed;
    expect(configurationProblems({ ...unread, PUBLIC_ORIGIN, MAIL_FROM })).toEqual([]);
  });

  const notAHook = "STRIPE_WEBHOOK_SECRET is not a signing secret of Stripe's, whsec_…, or several with commas between";
  const local = "STRIPE_WEBHOOK_SECRET still holds its local value";
  const testKey = "STRIPE_SECRET_KEY is a key of Stripe's test mode while SENTRY_ENVIRONMENT is production";
  const noSender = "MAIL_FROM is no sender such as Example <hello@example.com>";
  test.each<[Record<string, string>, string[]]>([
    [{ STRIPE_WEBHOOK_SECRET: `${hook},local-stripe-webhook-secret` }, [local]],
    [{ STRIPE_WEBHOOK_SECRET: `${hook}, local-stripe-webhook-secret` }, [local]],
    [{ STRIPE_WEBHOOK_SECRET: " local-stripe-webhook-secret" }, [local]],
    [{ STRIPE_WEBHOOK_SECRET: `${hook},` }, []],
    [{ STRIPE_WEBHOOK_SECRET: `${hook},x` }, [notAHook]],
    [{ STRIPE_WEBHOOK_SECRET: "whsec_x" }, [notAHook]],
    [{ STRIPE_WEBHOOK_SECRET: random }, [notAHook]],
    [{ MAIL_FROM: '"Shop" <hello@shop.example>' }, []],
    [{ MAIL_FROM: "hello" }, [noSender]],
    // Someone who copies an example may take its quotation marks for a part of the value.
    [{ MAIL_FROM: '"Shop <hello@shop.example>"' }, [noSender]],
    [{ MAIL_FROM: "hello@shop.example, shop@shop.example" }, [noSender]],
    [{ CODE_PEPPER: " \n" }, ["CODE_PEPPER is missing"]],
    [{ CODE_PEPPER: "x" }, ["CODE_PEPPER is shorter than 32 characters"]],
    [{ CODE_PEPPER: ` ${random.slice(1)} ` }, ["CODE_PEPPER is shorter than 32 characters"]],
    [{ VISIT_SECRET: "x" }, ["VISIT_SECRET is shorter than 32 characters"]],
    [{ OPERATOR_TOKEN: "x" }, ["OPERATOR_TOKEN is shorter than 32 characters"]],
    [{ OPERATOR_TOKEN: "" }, []],
    [{ EMAIL_SERVICE: "smtp" }, ["EMAIL_SERVICE is none of cloudflare, resend, postmark, ses, http-relay"]],
    [{ EMAIL_SERVICE: "cloudflare" }, []],
    [{ EMAIL_SERVICE: " resend\n", RESEND_API_KEY: " " }, ["RESEND_API_KEY is missing while EMAIL_SERVICE is resend"]],
    [{ EMAIL_SERVICE: "postmark", POSTMARK_SERVER_TOKEN: random }, []],
    [
      { EMAIL_SERVICE: "ses", SES_REGION: "eu-west-1", SES_ACCESS_KEY_ID: "AKIA" },
      ["SES_SECRET_ACCESS_KEY is missing while EMAIL_SERVICE is ses"],
    ],
    [
      { EMAIL_SERVICE: "http-relay", EMAIL_RELAY_URL: "http://relay.example/" },
      ["EMAIL_RELAY_TOKEN is missing while EMAIL_SERVICE is http-relay", "EMAIL_RELAY_URL is no https address"],
    ],
    [{ EMAIL_SERVICE: "http-relay", EMAIL_RELAY_URL: "https://relay.example/", EMAIL_RELAY_TOKEN: random }, []],
    // What stands for a secret that can't be read is no value that a Worker may have.
    [{ CODE_PEPPER: "set" }, ["CODE_PEPPER is shorter than 32 characters"]],
    [{ OPERATOR_TOKEN: "unread" }, ["OPERATOR_TOKEN is shorter than 32 characters"]],
    [{ ENTITLEMENT_SIGNING_KEY: "set" }, ["ENTITLEMENT_SIGNING_KEY is not a private Ed25519 JWK, or several"]],
    [{ STRIPE_WEBHOOK_SECRET: "set" }, [notAHook]],
    [{ MAIL_FROM: "set" }, [noSender]],
    [{ PUBLIC_ORIGIN: "http://shop.example" }, ["PUBLIC_ORIGIN is not https"]],
    [
      { PUBLIC_ORIGIN: "http://203.0.113.7:8787", CODE_PEPPER: "local-code-pepper", CLOCK_OFFSET_SECONDS: "60" },
      [
        "PUBLIC_ORIGIN is not https",
        "CLOCK_OFFSET_SECONDS is for local runs only",
        "CODE_PEPPER still holds its local value",
      ],
    ],
    ...[
      "localhost:8787",
      "shop.localhost",
      "127.0.0.1:8787",
      "[::1]:8787",
      "[fd12:3456::7]:8787",
      "192.168.1.20:8787",
      "10.0.0.2",
      "172.20.0.3:8787",
      "machine.local:8787",
      "site:8787",
    ].map((host): [Record<string, string>, string[]] => [
      { PUBLIC_ORIGIN: `http://${host}`, CODE_PEPPER: "local-code-pepper", CLOCK_OFFSET_SECONDS: "60" },
      [],
    ]),
    [
      { PUBLIC_ORIGIN: "https://localhost:8787", CODE_PEPPER: "local-code-pepper" },
      ["CODE_PEPPER still holds its local value"],
    ],
    [{ EMAIL_API_BASE: "https://stand-in.example" }, ["EMAIL_API_BASE is for local runs only"]],
    [{ STRIPE_SECRET_KEY: "sk_test_1" }, [testKey]],
    [{ STRIPE_SECRET_KEY: " rk_test_1" }, [testKey]],
    [{ STRIPE_SECRET_KEY: "sk_test_1", SENTRY_ENVIRONMENT: "" }, [testKey]],
    [{ STRIPE_SECRET_KEY: "sk_test_1", SENTRY_ENVIRONMENT: "staging" }, []],
  ])("with %j are reported as %j", (own, problems) => {
    expect(configurationProblems({ ...deployed, ...own })).toEqual(problems);
  });

  test("are trimmed, their items included, except for the two that are used character by character", () => {
    const db = { prepare: () => null };
    const given = {
      ...deployed,
      DB: db,
      STRIPE_SECRET_KEY: " sk_live_1\n",
      STRIPE_WEBHOOK_SECRET: ` ${hook} ,, ${hook}\n`,
    };
    const trimmed = trimVariables({ ...given, CODE_PEPPER: ` ${random}` });
    expect(trimmed).toMatchObject({ STRIPE_SECRET_KEY: "sk_live_1", STRIPE_WEBHOOK_SECRET: `${hook},${hook}` });
    expect(trimmed.CODE_PEPPER).toBe(` ${random}`);
    expect(trimmed.DB).toBe(db);
  });
});

test.each([
  ["generated", randomBytes(32).toString("base64url"), []],
  ["32 random hexadecimal digits", randomBytes(16).toString("hex"), []],
  ["unset", "", []],
  ["too short", random.slice(1), ["OPERATOR_TOKEN"]],
  ["one key held down", "a".repeat(40), ["OPERATOR_TOKEN"]],
  ["of few characters", "abcabbacabcabbacccbabbacabcabbaab", ["OPERATOR_TOKEN"]],
  ["a short text, repeated", "correct-horse-1".repeat(3), ["OPERATOR_TOKEN"]],
  ["a local value", "local-operator-token", ["OPERATOR_TOKEN"]],
])("a secret that is %s is named if it is weak", (_, secret, names) => {
  expect(listWeakSecrets({ ...deployed, OPERATOR_TOKEN: secret })).toEqual(names);
});

test.each([
  ["sk_test_1", true],
  ["rk_test_1", true],
  ["sk_live_1", false],
  ["local-stripe-key", false],
  ["", false],
])("the key %j is recognised as a test mode key: %j", (key, expected) => {
  expect(isTestKey(key)).toBe(expected);
});

test("the Worker, npm start and npm run deploy report every problem of the product's config", () => {
  const config: ProductConfig = { ...product, gate: "plan:nobody-has-it", plans: product.plans.toReversed() };
  const problems = configurationProblems({}, config).filter((problem) => problem.startsWith("app/product/config.ts"));
  expect(problems).toEqual([
    expect.stringContaining("(plans-not-ascending)"),
    expect.stringContaining("(gate-unknown)"),
  ]);
});
