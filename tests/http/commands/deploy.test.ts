import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runScript } from "#tests/support/clients/run-script.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { isUncommitted } from "../../../scripts/deploy/clone.ts";
import { isSold, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { setUpCommands } from "#app/set-up-commands.ts";
import { free, small } from "#tests/support/billing/catalogue.ts";
import { droppedFreePlan } from "../../../scripts/deploy/plans.ts";
import { addressOf, offlineProblems } from "../../../scripts/deploy/problems.ts";

const good = { PUBLIC_ORIGIN: "https://shop.example", MAIL_FROM: "Shop <hello@shop.example>" };
/** Of the Worker and its database. */
const [, name = ""] = /^name = "(.+)"/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
const secrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"];

const deploy = (args: string[], env: Record<string, string> = {}) => runScript("scripts/deploy/deploy.ts", args, env);

const problemsOf = (vars: Record<string, string>, config = {}, names = secrets) =>
  offlineProblems({
    config: { name: "foyer", route: undefined, routes: undefined, ...config },
    vars,
    secretNames: names,
    environment: {},
    target: { kind: "production", suffix: "" },
  });

describe.concurrent("npm run deploy -- --dry-run", () => {
  test("builds the production configuration without an account, and lists remaining sample values", async () => {
    const ended = await deploy(["--dry-run"], good);
    expect(ended.output).toContain("--dry-run: exiting now.");
    expect(ended.output).toContain(`env.DB (${name})`);
    expect(ended.output).toContain(`Still the sample's: support is ${product.support}`);
    expect(ended.status).toBe(0);
  });

  test("is refused with a list of everything that is missing", async () => {
    const ended = await deploy(["--dry-run"], {
      LAUNCH_GATE: "plan:golden",
      SENTRY_AUTH_TOKEN: "token",
      SENTRY_DSN: "here",
      // A clone without git has no commit to name.
      GIT_DIR: join(tmpdir(), "no-repository"),
    });
    expect(ended.status).toBe(1);
    expect(ended.problems).toEqual([
      "MAIL_FROM is missing",
      'LAUNCH_GATE: The gate is none, signup or plan:<id> of one of the plans, not "plan:golden".',
      "SENTRY_DSN is no address such as https://key@receiver.example/42",
      ...["SENTRY_ORG", "SENTRY_PROJECT", "SENTRY_RELEASE"].map(
        (name) => `${name} is missing while SENTRY_AUTH_TOKEN is set`,
      ),
    ]);
  });

  test("refuses an unknown argument", async () => {
    const ended = await deploy(["--force"]);
    expect([ended.status, ended.problems]).toEqual([1, []]);
    expect(ended.output).toContain("'--force'");
    expect(ended.output).toContain("npm run deploy -- [--to");
  });
});

test.each([
  [{ ...good, PUBLIC_ORIGIN: "http://shop.example" }, "PUBLIC_ORIGIN is not https"],
  [
    { ...good, PUBLIC_ORIGIN: "https://shop.example/shop" },
    "PUBLIC_ORIGIN is not an origin such as https://example.com",
  ],
  [{ ...good, SENTRY_DSN: "http://key@receiver.example/42" }, "SENTRY_DSN is not https"],
  [{ ...good, MAIL_FROM: "Shop" }, "MAIL_FROM is no sender such as Example <hello@example.com>"],
  [{ ...good, MAIL_FROM: "Shop <hello>" }, "MAIL_FROM is no sender such as Example <hello@example.com>"],
  [{ ...good, SENTRY_TRACES_SAMPLE_RATE: "10 %" }, "SENTRY_TRACES_SAMPLE_RATE is not a number from 0 to 1"],
  [{ ...good, STRIPE_API_BASE: "http://localhost:8788" }, "STRIPE_API_BASE is for local runs only"],
  [{ ...good, SENTRY_RELEASE: "local-build" }, "SENTRY_RELEASE still holds its local value"],
  [
    { ...good, OPERATOR_TOKEN: "a-token-of-this-test-with-32-letters" },
    "OPERATOR_TOKEN is in [vars], where anyone can read it: npx wrangler secret put OPERATOR_TOKEN",
  ],
  [
    { ...good, MAINTENANCE: "on" },
    "MAINTENANCE is in [vars], where it can't be switched off at once: npx wrangler secret put MAINTENANCE",
  ],
  [
    { ...good, PUBLIC_ORIGIN: "https://other.ada.workers.dev" },
    "PUBLIC_ORIGIN is not this Worker's: foyer.<your subdomain>.workers.dev",
  ],
])("each problem is described in one sentence: %j", (vars, problem) => {
  expect(problemsOf(vars)).toEqual([problem]);
});

test("a missing secret is named with the command that sets it", () => {
  expect(problemsOf(good, {}, ["CODE_PEPPER", "STRIPE_SECRET_KEY"])).toEqual([
    "VISIT_SECRET is missing: npm run secrets -- --save ../secrets.json",
    "ENTITLEMENT_SIGNING_KEY is missing: npm run secrets -- --save ../secrets.json",
    `STRIPE_WEBHOOK_SECRET is missing while STRIPE_SECRET_KEY is set: ${setUpCommands.setUpStripe("production", false)}`,
  ]);
  expect(problemsOf({ ...good, EMAIL_SERVICE: "postmark" })).toEqual([
    "POSTMARK_SERVER_TOKEN is missing while EMAIL_SERVICE is postmark: npx wrangler secret put POSTMARK_SERVER_TOKEN",
  ]);
});

test("uncommitted changes are refused, since that version couldn't be found again; without git they aren't checked", () => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-clone-"));
  expect(isUncommitted(folder)).toBe(false);
  spawnSync("git", ["init", folder]);
  expect(isUncommitted(folder)).toBe(false);
  writeFileSync(join(folder, "product.config.ts"), "");
  expect(isUncommitted(folder)).toBe(true);
});

test("the address leads to the Worker by a route or as its custom domain", () => {
  const route = (pattern: string) => ({ name: "foyer", route: undefined, routes: [{ pattern, custom_domain: true }] });
  expect(problemsOf(good, route("shop.example"))).toEqual([]);
  expect(problemsOf(good, { route: "shop.example/*" })).toEqual([]);
  expect(problemsOf(good, route("www.shop.example"))).toEqual([
    "wrangler.toml leads www.shop.example to the Worker, and PUBLIC_ORIGIN says shop.example",
  ]);
  const isOwn = { workers_dev: true, preview_urls: false };
  const isRouted = { workers_dev: false, preview_urls: false };
  expect(addressOf(route("shop.example"), good.PUBLIC_ORIGIN)).toEqual(isRouted);
  const bare = { name: "foyer", route: undefined, routes: undefined };
  const domain = { pattern: "shop.example", custom_domain: true };
  expect(addressOf(bare, good.PUBLIC_ORIGIN)).toEqual({ ...isRouted, routes: [domain] });
  expect(addressOf(bare, "https://foyer.ada.workers.dev")).toEqual(isOwn);
});

describe.concurrent("npm run deploy", () => {
  test("without a login is refused with all other problems, and doesn't guess at secrets", async () => {
    const { status, problems } = await deploy(["--dirty"], { PUBLIC_ORIGIN: "http://shop.example" });
    expect(status).toBe(1);
    expect(problems).toEqual([
      "MAIL_FROM is missing",
      "PUBLIC_ORIGIN is not https",
      expect.stringContaining("No one is logged in to Cloudflare: npx wrangler login"),
    ]);
  });

  test("with changes that aren't committed is refused, unless it says --dirty", async () => {
    const folder = mkdtempSync(join(tmpdir(), "foyer-uncommitted-"));
    spawnSync("git", ["init", folder]);
    // This repository has committed none of the clone's files.
    const env = { ...good, GIT_DIR: join(folder, ".git"), GIT_WORK_TREE: process.cwd() };
    const refusal = expect.stringContaining("There are changes that are not committed");
    const refused = await deploy([], env);
    expect([refused.status, refused.problems]).toEqual([1, expect.arrayContaining([refusal])]);
    expect((await deploy(["--dirty"], env)).problems).not.toContainEqual(refusal);
  });

  test("asks the account for database and secrets before it builds anything", async () => {
    const api = await startCloudflareApi({ databases: ["another"], deployed: { [name]: good.PUBLIC_ORIGIN } });
    const env = { ...good, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
    expect((await deploy(["--dirty"], env)).problems).toEqual([
      "CODE_PEPPER is missing: npm run secrets -- --save ../secrets.json",
      "VISIT_SECRET is missing: npm run secrets -- --save ../secrets.json",
      "ENTITLEMENT_SIGNING_KEY is missing: npm run secrets -- --save ../secrets.json",
      expect.stringContaining(`The account has no database ${name}, and the Worker ${name} has run with one.`),
    ]);
    expect(api.calls.filter((call) => call.startsWith("created"))).toEqual([]);
    api.close();
  });

  test("refuses to remove a plan that has subscribers, or one that became free", async () => {
    const plansInUse = { [small.id]: 3, [free.id]: 2, retired: 1 };
    const api = await startCloudflareApi({ databases: [name], secrets, plansInUse });
    const env = { ...good, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
    expect((await deploy(["--dirty"], env)).problems).toEqual([
      `Plan "${free.id}" has 2 subscribers and has prices: null in app/product/config.ts: keep it with its prices, and sold: false to retire it`,
      'Plan "retired" has 1 subscriber and is missing in app/product/config.ts: keep it with its prices, and sold: false to retire it',
    ]);
    expect(api.calls.filter((call) => call.includes("/workers/services"))).toEqual([]);
    api.close();
  });

  test("refuses to remove the free plan while accounts use the product on it", () => {
    const config: ProductConfig = product;
    const paidOnly = { ...config, plans: config.plans.filter(isSold) };
    const inUse = [{ plan_id: free.id, accounts: 12 }];
    expect(droppedFreePlan(paidOnly, inUse)).toEqual([
      `12 accounts use the product on the free plan "${free.id}", which app/product/config.ts no longer has: deploying ends their access. Keep the plan, or say -- --drop-free-plan`,
    ]);
    expect(droppedFreePlan(paidOnly, [])).toEqual([]);
    // Another one took its place.
    expect(droppedFreePlan({ ...config, plans: [{ ...free, id: "gratis" }, ...paidOnly.plans] }, inUse)).toEqual([]);
  });

  test("doesn't check the plans in use before the tables exist", async () => {
    const api = await startCloudflareApi({ databases: [name], secrets, plansInUse: "no-tables" });
    const env = { ...good, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
    expect((await deploy(["--dirty"], env)).problems).toEqual([]);
    api.close();
  });

  test("asks which account to use if there are several", async () => {
    const api = await startCloudflareApi({ accounts: ["One", "Two"], databases: [name], secrets });
    const env = { ...good, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
    expect((await deploy(["--dirty"], env)).problems).toEqual([
      "This login has several accounts: set CLOUDFLARE_ACCOUNT_ID (One is acc0, Two is acc1)",
    ]);
    api.close();
  });

  test("migrates the database before it uploads, and fails if the upload is refused", async () => {
    const api = await startCloudflareApi({ databases: [name], secrets });
    const env = { ...good, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
    const ended = await deploy(["--dirty"], env);
    expect(ended.status).toBe(1);
    expect(ended.output).toContain("The test API supports no more than this");
    const migrated = api.calls.findLastIndex((call) => call.includes("/query"));
    const uploaded = api.calls.findIndex((call) => call.includes(`/workers/services/${name}`));
    expect(migrated).toBeGreaterThan(0);
    expect(uploaded).toBeGreaterThan(migrated);
    api.close();
  });
});
