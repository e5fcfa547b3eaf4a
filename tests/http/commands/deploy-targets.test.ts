import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { describe, expect, test } from "vitest";
import { runScript } from "#tests/support/clients/run-script.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { setUpCommands } from "#app/set-up-commands.ts";
import { run as runCommand } from "../../../scripts/run.ts";
import { productionProblems } from "../../../scripts/deploy/address.ts";
import { writeBuiltConfig } from "../../../scripts/deploy/write-built-config.ts";
import { configFor, readTarget } from "../../../scripts/deploy/target.ts";

const config = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const worker = String(config.name);
const secrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"];
const variables = { MAIL_FROM: "Shop <hello@shop.example>" };

const run = (script: string, args: string[], env: Record<string, string>) =>
  runScript(script, args, { PUBLIC_ORIGIN: "", ...env });
const login = (api: { url: string }) => ({ CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url });
const deploy = (args: string[], env: Record<string, string>) => run("scripts/deploy/deploy.ts", args, env);

describe("a target", () => {
  test("has a Worker, a database, a store and rate limits of its own, and no address of production's", () => {
    const production = {
      ...config,
      vars: { ...config.vars, PUBLIC_ORIGIN: "https://shop.example" },
      route: "shop.example/*",
    };
    const all = ["production", "staging", "preview"].map((to) => configFor(production, readTarget(to, "fix-the-door")));
    expect(all.map(({ name }) => name)).toEqual([worker, `${worker}-staging`, `${worker}-preview-fix-the-door`]);
    const own = [
      ...all.map(({ d1_databases: [database] }) => database?.database_name),
      ...all.flatMap(({ ratelimits }) => ratelimits.map((limit: { namespace_id: string }) => limit.namespace_id)),
    ];
    expect(new Set(own).size).toBe(own.length);
    const [, staging, preview] = all;
    expect(all.map(({ vars }) => vars.PUBLIC_ORIGIN)).toEqual(["https://shop.example", undefined, undefined]);
    expect(all.map(({ vars }) => vars.SENTRY_ENVIRONMENT)).toEqual(["production", "staging", "preview"]);
    expect([staging?.route, preview?.route]).toEqual([undefined, undefined]);
    const ids = [{ binding: "DB", database_name: "shop", database_id: "1" }];
    const stored = configFor(
      { ...config, d1_databases: ids, kv_namespaces: [{ binding: "VISITS", id: "2" }] },
      readTarget("staging", null),
    );
    expect(JSON.stringify([stored.d1_databases, stored.kv_namespaces])).not.toMatch(/"(database_)?id"/);
  });

  test.each([
    ["feature/checkout-redesign-1", "feature/checkout-redesign-2"],
    ["fix/door", "fix-door"],
    ["Fix-door", "fix-door"],
    ["fix--door", "fix-door"],
    ["tür", "tor"],
  ])("of the branch %s is another than of %s", (one, other) => {
    const [first, second] = [one, other].map((branch) => readTarget("preview", branch).suffix);
    expect(first).toMatch(/^-preview-[a-z0-9-]{1,24}(?<!-)$/);
    expect(first).not.toBe(second);
    expect(readTarget("preview", one).suffix).toBe(first);
  });

  test.each([
    ["live", "main", "--to is production, staging or preview, not live"],
    ["preview", null, "A preview is named after the branch, and none is checked out: --branch NAME"],
    ["preview", "---", "A preview is named after the branch, and none is checked out: --branch NAME"],
  ])("%s on the branch %s is refused", (to, branch, why) => {
    expect(() => readTarget(to, branch)).toThrow(why);
  });

  test("has a name that is a host name, however long the branch's", () => {
    const target = readTarget("preview", "feature/".repeat(20));
    expect(configFor(config, target).name).toMatch(/^[a-z0-9-]{1,63}(?<!-)$/);
    expect(() => configFor({ ...config, name: "x".repeat(52) }, target)).toThrow("is too long");
  });
});

test("the config may name every jurisdiction in which wrangler creates a database, and no other", async () => {
  const allowed = { eu: true, fedramp: true, us: true } satisfies Record<
    NonNullable<ProductConfig["jurisdiction"]>,
    true
  >;
  const help = await runCommand("wrangler", ["d1", "create", "--help"]);
  const [, offered = ""] = /--jurisdiction[^[]*\[string\] \[choices: ([^\]]+)\]/.exec(help) ?? [];
  expect([...offered.matchAll(/"(\w+)"/g)].map(([, name]) => name).toSorted()).toEqual(Object.keys(allowed));
});

describe.concurrent("npm run deploy -- --to staging", () => {
  test("packs the same build with the names of its own, with an address or without", async () => {
    const PUBLIC_ORIGIN = "https://try.shop.example";
    const ended = await deploy(["--to", "staging", "--dry-run"], { ...variables, PUBLIC_ORIGIN });
    expect([ended.status, ended.problems]).toEqual([0, []]);
    expect(ended.output).toContain(`env.DB (${worker}-staging)`);
    expect(ended.output).toContain('"staging"');
    const file = writeBuiltConfig(readTarget("staging", null), { PUBLIC_ORIGIN });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      routes: [{ pattern: "try.shop.example", custom_domain: true }],
      workers_dev: false,
    });
    const unnamed = await deploy(["--to", "staging", "--dry-run"], variables);
    expect([unnamed.status, unnamed.problems], unnamed.output).toEqual([0, []]);
    expect(unnamed.output).toContain(`a dry run assumes https://${worker}-staging.example.workers.dev`);
  });

  test("makes its database where the product's data belongs, migrates it, and takes the account's address", async () => {
    const api = await startCloudflareApi({ databases: [worker], secrets });
    const ended = await deploy(["--to", "staging", "--dirty"], { ...variables, ...login(api) });
    expect(ended.problems).toEqual([]);
    expect(ended.output).toContain(`${worker}-staging at https://${worker}-staging.ada.workers.dev`);
    const made = api.calls.indexOf(`created ${worker}-staging in eu`);
    const migrated = api.calls.findIndex((call) => call.includes("CREATE TABLE"));
    const uploaded = api.calls.findIndex((call) => call.includes(`/workers/services/${worker}-staging`));
    expect(made).toBeGreaterThan(0);
    expect(migrated).toBeGreaterThan(made);
    expect(uploaded).toBeGreaterThan(migrated);
    api.close();
  });

  test("never takes production's address, which has it by a route or as a variable, not even if that is said", async () => {
    const refusal = expect.stringContaining("https://shop.example is production's address, and this deploys staging");
    const deployed = { [worker]: "https://shop.example" };
    const zones = { names: ["shop.example"], routes: { "shop.example": worker } };
    const api = await startCloudflareApi({ databases: [worker], secrets, deployed, zones });
    const env = { ...variables, ...login(api), PUBLIC_ORIGIN: "https://shop.example" };
    const served = expect.stringContaining(
      `is served by the Worker ${worker} of this account, not by ${worker}-staging`,
    );
    expect((await deploy(["--to", "staging", "--dirty"], env)).problems).toEqual([refusal, served]);
    expect((await deploy(["--to", "staging", "--dirty", "--move-origin"], env)).problems).toEqual([refusal]);
    expect(api.calls.filter((call) => !/^GET|\/domains\/changeset$/.test(call))).toEqual([]);
    api.close();
  });

  test.each([
    { route: undefined, routes: [{ pattern: "shop.example/*", zone_name: "shop.example" }], vars: {} },
    { route: "shop.example/*", routes: undefined, vars: {} },
    { route: undefined, routes: undefined, vars: { PUBLIC_ORIGIN: "https://shop.example" } },
  ])("refuses the address of %j in wrangler.toml without an account, too", async (named) => {
    const ask = (origin: string, to: "staging" | "production") =>
      productionProblems(null, origin, { kind: to }, { ...config, ...named });
    expect(await ask("https://shop.example", "staging")).toHaveLength(1);
    expect(await ask("https://shop.example", "production")).toEqual([]);
    expect(await ask("https://try.shop.example", "staging")).toEqual([]);
  });

  test("names the commands for its own Worker", async () => {
    const api = await startCloudflareApi({
      databases: [`${worker}-staging`],
      secrets: ["STRIPE_SECRET_KEY", ...secrets.slice(1)],
    });
    const ended = await deploy(["--to", "staging", "--dirty"], { ...variables, ...login(api) });
    expect(ended.problems).toEqual([
      "CODE_PEPPER is missing: npm run secrets -- --to staging --save ../staging-secrets.json",
      `STRIPE_WEBHOOK_SECRET is missing while STRIPE_SECRET_KEY is set: ${setUpCommands.setUpStripe("staging", false)}`,
    ]);
    api.close();
  });

  test("npm run secrets -- --to staging makes that Worker's alone", async () => {
    const api = await startCloudflareApi({});
    const file = join(mkdtempSync(join(tmpdir(), "foyer-secrets-")), "secrets.json");
    const ended = await run("scripts/secrets/secrets.ts", ["--to", "staging", "--save", file], login(api));
    expect(ended.status, ended.output).toBe(0);
    const written = api.calls.filter((call) => /^(PUT|PATCH)/.test(call));
    expect(written.length).toBeGreaterThan(1);
    expect(written.filter((call) => !call.includes(`/${worker}-staging`))).toEqual([]);
    api.close();
  });
});

describe.concurrent("an address", () => {
  const deployed = { [worker]: "https://shop.example" };

  test("that a Worker has stays without being named again, as its other variables do", async () => {
    const running = { LAUNCH_GATE: "none", EMAIL_SERVICE: "cloudflare" };
    const api = await startCloudflareApi({ databases: [worker], secrets, deployed, variables: running });
    const ended = await deploy(["--dirty", "--unset", "EMAIL_SERVICE"], { ...variables, ...login(api) });
    expect(ended.problems).toEqual([]);
    expect(ended.output).toContain(`${worker} at https://shop.example`);
    expect(ended.output.match(/\w+ stays \S+/g)).toEqual(["LAUNCH_GATE stays none"]);
    api.close();
  });

  test("of a new account is named, or its workers.dev subdomain registered, before the first deployment", async () => {
    const api = await startCloudflareApi({ databases: [worker], secrets, subdomain: null });
    const env = { ...variables, ...login(api) };
    const [missing, ...others] = (await deploy(["--dirty"], env)).problems;
    expect(missing).toBe("PUBLIC_ORIGIN is missing");
    expect(others).toEqual([
      expect.stringMatching(
        /^This account has no workers\.dev subdomain yet: register one .*https:\/\/dash\.cloudflare\.com\/acc0\/workers\/onboarding/,
      ),
    ]);
    expect((await deploy(["--dirty"], { ...env, PUBLIC_ORIGIN: "https://shop.example" })).problems).toEqual([]);
    api.close();
  });

  test("isn't changed, or taken from another Worker, unless that is said", async () => {
    const api = await startCloudflareApi({
      databases: [worker],
      secrets,
      deployed,
      domains: { "new.example": "other" },
    });
    const env = { ...variables, ...login(api), PUBLIC_ORIGIN: "https://new.example" };
    const { problems } = await deploy(["--dirty"], env);
    expect(problems).toEqual([
      expect.stringContaining(
        `The Worker ${worker} serves https://shop.example, and PUBLIC_ORIGIN says https://new.example`,
      ),
      expect.stringContaining("https://new.example is served by the Worker other of this account"),
    ]);
    expect(api.calls.filter((call) => call.includes("/workers/services"))).toEqual([]);
    expect((await deploy(["--dirty", "--move-origin"], env)).problems).toEqual([]);
    api.close();
  });
});

describe.concurrent("a Worker that has another database than wrangler.toml names", () => {
  test("isn't deployed, as by a commit from before a restore, unless that is said", async () => {
    const deployed = { [worker]: "https://shop.example" };
    const api = await startCloudflareApi({ databases: [worker, "restored"], bound: 1, secrets, deployed });
    const env = { ...variables, ...login(api) };
    expect((await deploy(["--dirty"], env)).problems).toEqual([
      expect.stringMatching(new RegExp(`names the database ${worker} .*0\\), and the Worker ${worker} runs with .*1:`)),
    ]);
    expect(api.calls.filter((call) => call.includes("CREATE TABLE") || call.includes("/workers/services"))).toEqual([]);
    expect((await deploy(["--dirty", "--other-database"], env)).problems).toEqual([]);
    api.close();
  });

  test("is deployed with its own", async () => {
    const deployed = { [worker]: "https://shop.example" };
    const api = await startCloudflareApi({ databases: [worker], bound: 0, secrets, deployed });
    expect((await deploy(["--dirty"], { ...variables, ...login(api) })).problems).toEqual([]);
    api.close();
  });
});

describe.concurrent("a Worker that runs another product under the same name", () => {
  test("isn't deployed over, with an address or without, unless the product was renamed", async () => {
    const running = { PRODUCT: "Skua" };
    const deployed = { [worker]: "https://skua.example" };
    const api = await startCloudflareApi({ databases: [worker], secrets, deployed, variables: running });
    const env = { ...variables, ...login(api) };
    const refusal = expect.stringContaining(`is Skua's, and this clone's product is ${product.name}`);
    for (const origin of ["", "https://skua.example"])
      expect((await deploy(["--dirty"], { ...env, PUBLIC_ORIGIN: origin })).problems).toEqual([refusal]);
    expect(api.calls.filter((call) => call.includes("CREATE TABLE") || call.includes("/workers/services"))).toEqual([]);
    expect((await deploy(["--dirty", "--renamed"], env)).problems).toEqual([]);
    api.close();
  });

  test("is the same product's when it has its name", async () => {
    const running = { PRODUCT: product.name };
    const deployed = { [worker]: "https://shop.example" };
    const api = await startCloudflareApi({ databases: [worker], secrets, deployed, variables: running });
    expect((await deploy(["--dirty"], { ...variables, ...login(api) })).problems).toEqual([]);
    api.close();
  });
});
