import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { differences } from "#app/integrations/stripe/prices.ts";
import { shownPrices } from "#app/modules/catalogue/shown-prices.rules.ts";
import { product } from "#app/product/config.ts";
import { large, minor, small } from "#tests/support/billing/catalogue.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareUploads } from "#tests/support/clients/cloudflare-uploads.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { reprice } from "#tests/support/billing/reprice.ts";
import { setUpStripeEmulator } from "#tests/support/billing/stripe-emulator.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";

const [, name = ""] = /^name = "(.+)"/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
const secrets = [
  "CODE_PEPPER",
  "VISIT_SECRET",
  "ENTITLEMENT_SIGNING_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
];
const { stripe, origin } = await setUpStripeEmulator();
const key = { STRIPE_SECRET_KEY: "local-key", STRIPE_API_BASE: origin };
/** The running version sells one plan at less, and doesn't have the other. */
const soldPrices = { [small.id]: minor(small) - 100 };

beforeEach(async () => {
  await setUpStripe({ stripe, product, origin: "https://shop.example", log: () => undefined });
});

async function deploy(args: string[], env: Record<string, string>, account: object = {}) {
  const api = await startCloudflareApi({ databases: [name], secrets, soldPrices, ...account });
  const site = { PUBLIC_ORIGIN: "https://shop.example", MAIL_FROM: "Shop <hello@shop.example>" };
  const cloudflare = { CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
  const ended = await runScript("scripts/deploy/deploy.ts", ["--dirty", ...args], {
    STRIPE_SECRET_KEY: "",
    STRIPE_API_BASE: "",
    ...site,
    ...cloudflare,
    ...env,
  });
  api.close();
  return { ...ended, isUploaded: api.calls.some((call) => call.includes("/workers/services/")) };
}

const missing = () => differences(stripe, shownPrices(product));

describe("a deployment of other prices than the running version's", { timeout: 900_000 }, () => {
  test("is refused without Stripe's key, and says what to run first", async () => {
    const { status, problems, isUploaded } = await deploy([], {});
    expect([status, isUploaded]).toEqual([1, false]);
    expect(problems).toEqual([
      expect.stringMatching(
        /^The running version has other prices \(.+\), and Stripe needs the new ones first: STRIPE_SECRET_KEY=… npm run deploy makes/,
      ),
    ]);
    expect(problems[0]).toContain(`${small.id}_month`);
    expect(problems[0]).toContain(`${large.id}_year`);
    expect((await deploy(["--prices-made"], {})).problems).toEqual([]);
  });

  test("isn't asked for the key if the Worker has none, since it sells nothing", async () => {
    const without = secrets.filter((secret) => !secret.startsWith("STRIPE"));
    expect((await deploy([], {}, { secrets: without })).problems).toEqual([]);
  });

  test("makes the prices that Stripe lacks before the version is uploaded", async () => {
    await reprice(stripe, { planId: small.id }, { unit_amount: minor(small) - 100 });
    expect(await missing()).toHaveLength(1);
    // The upload is refused.
    const ended = await deploy([], key);
    expect([ended.status, ended.isUploaded]).toEqual([1, true]);
    expect(ended.output).toMatch(new RegExp(`updated +price ${small.id}_month`));
    expect(ended.output.indexOf("updated ")).toBeLessThan(ended.output.indexOf("The test API supports no more"));
    expect(ended.output).toContain("the version that runs sells at none but its own");
    expect(await missing()).toEqual([]);
  });

  test("goes to everyone at once: two versions can't sell at two prices", async () => {
    const uploads = new CloudflareUploads();
    expect((await deploy([], key, { uploads })).status).toBe(0);
    await reprice(stripe, { planId: small.id }, { unit_amount: minor(small) - 100 });
    const ended = await deploy(["--share", "10"], key, { uploads, deployed: { [name]: "https://shop.example" } });
    expect(ended.output).toContain("Prices change: all requests go to the new version");
    expect([ended.status, await missing()]).toEqual([0, []]);
    expect(uploads.workers.get(name)?.deployments.at(-1)?.versions).toMatchObject([{ percentage: 100 }]);
  });

  test.each([
    [{ STRIPE_SECRET_KEY: "sk_test_1" }, "STRIPE_SECRET_KEY is a test key, and production has a live one"],
    [{ STRIPE_SECRET_KEY: "pk_live_1" }, "STRIPE_SECRET_KEY is the publishable key"],
  ])("is refused with a key that isn't the Worker's: %j", async (env, problem) => {
    expect((await deploy([], env)).problems).toEqual([expect.stringContaining(problem)]);
  });
});
