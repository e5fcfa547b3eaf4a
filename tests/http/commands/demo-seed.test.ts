import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import {
  firstPaymentStepsMessages,
  firstPaymentCardMessages,
} from "#app/routes/landing/first-payment-steps.messages.ts";
import { demoMessages } from "#app/routes/settings/messages.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareRows } from "#tests/support/clients/cloudflare-rows.ts";
import { askForCode, newCustomer, typeCode } from "#tests/support/clients/customers.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { localVars, startSite } from "#tests/support/site/site.ts";
import { addressOf } from "../../../scripts/demo/address.ts";

const worker = String(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }).name);
const staging = `${worker}-staging`;
const folder = mkdtempSync(join(tmpdir(), "foyer-demo-seed-test-"));
const secretsFile = join(folder, "secrets.json");
const operatorToken = String(localVars["OPERATOR_TOKEN"]);
/** Devices with a licence key, a place in the line, a friend, a closed account. */
const people = "jonas,bea,otto,wanda,anton,nora";

let site: Awaited<ReturnType<typeof startSite>>;
const secrets = {
  CODE_PEPPER: String(localVars["CODE_PEPPER"]),
  ENTITLEMENT_SIGNING_KEY: String(localVars["ENTITLEMENT_SIGNING_KEY"]),
  OPERATOR_TOKEN: operatorToken,
};

beforeAll(async () => {
  site = await startSite();
  writeFileSync(secretsFile, JSON.stringify(secrets));
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

type Account = Parameters<typeof startCloudflareApi>[0];

async function seed(args: string[], account: Account = {}, env: Record<string, string> = {}) {
  const api = await startCloudflareApi({
    databases: [worker, staging],
    deployed: { [staging]: site.origin },
    variables: { SENTRY_ENVIRONMENT: "staging" },
    rows: new CloudflareRows(site.database),
    ...account,
  });
  const ended = await runScript("scripts/demo-seed/demo-seed.ts", args, {
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_API_BASE_URL: api.url,
    DEMO_PEOPLE: people,
    ...env,
  });
  const isLoaded = api.calls.some((call) => call.endsWith("/import"));
  api.close();
  return { ...ended, isLoaded };
}

const toStaging = ["--to", "staging", "--secrets", secretsFile];

describe("npm run demo:seed refuses", () => {
  test.each<[what: string, args: string[], account: Account, why: string]>([
    ["production", ["--to", "production", "--secrets", secretsFile], {}, "never loaded into production"],
    ["a target that isn't named", ["--secrets", secretsFile], {}, "--to is needed"],
    ["a file that isn't there", ["--to", "staging", "--secrets", "missing.json"], {}, "missing.json isn't what"],
    ["a Worker that isn't deployed", toStaging, { deployed: {} }, `${staging} isn't deployed`],
    ["a Worker that calls itself production", toStaging, { variables: {} }, "SENTRY_ENVIRONMENT production"],
  ])("%s", async (_, args, account, why) => {
    const ended = await seed(args, account);
    expect(ended.output).toContain(why);
    expect([ended.status, ended.isLoaded]).toEqual([1, false]);
  });

  test("a Worker at production's address", async () => {
    const ended = await seed(toStaging, { deployed: { [staging]: site.origin, [worker]: site.origin } });
    expect(ended.output).toContain(`${site.origin} is the address of ${worker}`);
    expect(ended.isLoaded).toBe(false);
  });

  test("secrets of another Worker", async () => {
    const others = join(folder, "others.json");
    writeFileSync(others, JSON.stringify({ ...secrets, OPERATOR_TOKEN: "another" }));
    const ended = await seed(["--to", "staging", "--secrets", others]);
    expect(ended.output).toContain("the file has another Worker's secrets");
    expect(ended.isLoaded).toBe(false);
  });
});

test("it loads the demo in place of what is there, again and again, and its people can be signed in", async () => {
  await newCustomer(site);
  const refused = await seed(toStaging);
  expect(refused.output).toContain("aren't the demo's. To remove them: --replace");
  expect(refused.isLoaded).toBe(false);

  const loaded = await seed([...toStaging, "--replace"]);
  expect(loaded.output).toContain(addressOf("jonas"));
  expect([loaded.status, loaded.isLoaded]).toEqual([0, true]);
  const first = await countRows();
  const { accounts, sessions, ofStripe, ofDemo, waiting, counted } = first.counts ?? {};
  expect(accounts).toBeGreaterThan(5);
  expect(sessions).toBe(0);
  expect(ofStripe).toBeGreaterThan(0);
  expect([ofStripe, waiting]).toEqual([ofDemo, counted]);

  const operator = await (await site.visitor().open("/set-up")).submit("token", { token: operatorToken });
  const { title } = firstPaymentStepsMessages.en.steps.email;
  expect(operator.text()).toContain(`${title} ${firstPaymentCardMessages.en.states["to-do"]}`);

  // Without --replace: all accounts are the demo's.
  expect((await seed(toStaging)).status).toBe(0);
  expect(await countRows()).toEqual(first);

  const visitor = await site.visitor().open("/login");
  await askForCode(visitor, addressOf("jonas"));
  await typeCode(visitor, await demoCode(addressOf("jonas")));
  expect(visitor.path()).toBe("/settings");
  expect((await visitor.open("/settings/orders")).text()).toContain("20");
  // A local run reads its emails in a mailbox, and needs no notice.
  expect(visitor.text()).not.toContain(demoMessages.en.text);
  await site.runCron();
  expect((await countRows()).plans).toEqual(first.plans);
}, 900_000);

async function demoCode(address: string): Promise<string> {
  const call = () => ({
    method: "POST",
    headers: { Authorization: `Bearer ${operatorToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ address }),
  });
  const ask = async () => (await (await site.fetch("/api/operator/demo-codes", call())).json()) as { code?: string };
  await expect.poll(async () => (await ask()).code).toMatch(/^\d{8}$/);
  return String((await ask()).code);
}

async function countRows() {
  const database = await site.database();
  const counts = await database
    .prepare(
      `select (select count(*) from accounts) as accounts, (select count(*) from sessions) as sessions,
        (select count(*) from orders) as orders, (select count(*) from entries) as entries,
        (select count(*) from subscriptions) + (select count(*) from customers) as ofStripe,
        (select count(*) from subscriptions where id like 'sub\\_demo\\_%' escape '\\')
          + (select count(*) from customers where provider_id like 'cus\\_demo\\_%' escape '\\') as ofDemo,
        (select count(*) from entries where state = 'waiting') as waiting,
        (select coalesce(sum(waiting), 0) from queue_counts where level = 20) as counted`,
    )
    .first<Record<string, number>>();
  const { results: plans } = await database
    .prepare("select state, count(*) as count from subscriptions group by state order by state")
    .all();
  return { counts, plans };
}
