import { expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { setUpStripeEmulator } from "#tests/support/billing/stripe-emulator.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";
import { product } from "#app/product/config.ts";

const worker = String(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }).name);
const preview = `${worker}-preview-one`;
const address = `https://${preview}.ada.workers.dev`;
const emulator = await setUpStripeEmulator();

type Account = Parameters<typeof startCloudflareApi>[0];
const startApi = (own: Account = {}) =>
  startCloudflareApi({
    databases: [worker, preview, `${worker}-preview-two`],
    stores: [`${worker}-visits`, `${preview}-visits`, `${worker}-preview-two-visits`],
    deployed: { [worker]: "https://shop.example", [preview]: address },
    ...own,
  });

const remove = (api: { url: string }, args: string[], env: Record<string, string> = {}) =>
  runScript("scripts/deploy/remove.ts", args, {
    STRIPE_SECRET_KEY: "",
    PUBLIC_ORIGIN: "",
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_API_BASE_URL: api.url,
    ...env,
  });
const deletions = (api: { calls: string[] }) => api.calls.filter((call) => call.startsWith("DELETE"));

test("removes a preview's Worker, store, database and Stripe endpoint, and nothing else, also after a failure", async () => {
  const endpoints = async () => (await emulator.stripe.webhookEndpoints.list()).data.map(({ url }) => url);
  const portals = async () =>
    (await emulator.stripe.billingPortal.configurations.list({ active: true })).data.map(({ metadata }) => metadata);
  for (const origin of [address, "https://staging.example"]) {
    await setUpStripe({ stripe: emulator.stripe, product, origin, log: () => undefined });
  }
  const key = { STRIPE_SECRET_KEY: "local-stripe-key", STRIPE_API_BASE: emulator.origin };
  const failing = await startApi({ failing: "/namespaces/" });
  const first = await remove(failing, ["--to", "preview", "--branch", "one"], key);
  expect([first.status, first.output]).toEqual([1, expect.stringContaining("Run this again")]);
  expect(await endpoints()).toEqual(["https://staging.example/webhooks/stripe"]);
  expect(await portals()).toEqual([{ foyer_origin: "https://staging.example" }]);
  expect(first.output).toContain(`made inactive   Stripe's portal configuration of ${address}`);
  failing.close();

  const api = await startApi({ deployed: { [worker]: "https://shop.example" } });
  const again = await remove(api, ["--to", "preview", "--branch", "one"], key);
  expect(again.status, again.output).toBe(0);
  expect(again.output.trim().split(/\n/)).toEqual([
    expect.stringMatching(`^wasn't there +Stripe's endpoint ${address}/webhooks/stripe$`),
    expect.stringMatching(`^wasn't there +Stripe's portal configuration of ${address}$`),
    expect.stringMatching(`^wasn't there +Worker ${preview}$`),
    expect.stringMatching(`^removed +KV namespace ${preview}-visits$`),
    expect.stringMatching(`^removed +database ${preview}$`),
  ]);
  expect(deletions(api)).toEqual([
    "DELETE /accounts/acc0/storage/kv/namespaces/store1",
    "DELETE /accounts/acc0/d1/database/00000000-0000-0000-0000-000000000001",
  ]);
  expect(deletions(failing)[0]).toContain(`/workers/services/${preview}`);
  api.close();
});

test("leaves a portal configuration that is the account's default, and makes another one when it is set up again", async () => {
  const { configurations } = emulator.stripe.billingPortal;
  await emulator.control("portal", {});
  const [standard] = (await configurations.list({ is_default: true })).data;
  await configurations.update(String(standard?.id), { metadata: { foyer_origin: address } });
  const api = await startApi();
  const key = { STRIPE_SECRET_KEY: "local-stripe-key", STRIPE_API_BASE: emulator.origin };
  const ended = await remove(api, ["--to", "preview", "--branch", "one"], key);
  expect([ended.status, ended.output]).toEqual([0, expect.stringMatching(/wasn't there +Stripe's portal/)]);
  expect(await configurations.retrieve(String(standard?.id))).toMatchObject({ active: true });
  await configurations.update(String(standard?.id), { metadata: { foyer_origin: "" } });
  await setUpStripe({ stripe: emulator.stripe, product, origin: address, log: () => undefined });
  const all = (await configurations.list()).data.filter(({ metadata }) => metadata?.["foyer_origin"] === address);
  expect(all.map(({ active }) => active)).toEqual([true, false]);
  api.close();
});

test.each([
  [["--to", "production"], {}, "Production isn't removed by a command"],
  [[], {}, "npm run deploy:remove -- --to staging|preview"],
  [["--to", "staging"], { STRIPE_SECRET_KEY: "sk_live_1" }, "A live key belongs to production"],
])("%s %o deletes nothing", async (args, env, why) => {
  const api = await startApi();
  const ended = await remove(api, args, env);
  expect([ended.status, ended.output]).toEqual([1, expect.stringContaining(why)]);
  expect(deletions(api)).toEqual([]);
  api.close();
});

test("without Stripe's key says that the endpoint stays", async () => {
  const api = await startApi();
  const ended = await remove(api, ["--to", "preview", "--branch", "one"]);
  expect([ended.status, ended.output]).toEqual([
    0,
    expect.stringMatching(
      `not looked for  Stripe's endpoint ${address}[^]*not looked for  Stripe's portal configuration of ${address}`,
    ),
  ]);
  expect(deletions(api)).toHaveLength(3);
  api.close();
});

test("deletes nothing of another product that has the same name, unless the product was renamed", async () => {
  const api = await startApi({ variables: { PRODUCT: "Skua" } });
  const preview = ["--to", "preview", "--branch", "one"];
  const ended = await remove(api, preview);
  expect([ended.status, ended.output]).toEqual([1, expect.stringContaining("is Skua's")]);
  expect(deletions(api)).toEqual([]);
  expect((await remove(api, [...preview, "--renamed"])).status).toBe(0);
  expect(deletions(api)).toHaveLength(3);
  api.close();
});
