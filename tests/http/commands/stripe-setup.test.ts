import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";
import { afterEach, describe, expect, test, vi } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { large, minor, pattern, small } from "#tests/support/billing/catalogue.ts";
import { RETRY_AFTER_DAYS } from "stripe-emulator/facts";
import { retryAfterDays } from "../../../scripts/stripe/by-hand.ts";
import { messageOf } from "../../../scripts/stripe/refusals.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";
import { API_VERSION, WEBHOOK_EVENTS } from "../../../scripts/stripe/webhook.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { findDeployedWorker } from "../../../scripts/stripe/deployed-worker.ts";
import { openCheckout, setUpStripeEmulator } from "#tests/support/billing/stripe-emulator.ts";

const origin = "http://localhost:8787";
const shop: ProductConfig = product;
const paidPlans = shop.plans.filter(({ prices }) => prices !== null).length;
const monthly = `${small.id}_month`;
const more = minor(small) + 100;

const local = await setUpStripeEmulator();
const { stripe } = local;

/** The same shop with another amount for a month of the cheapest plan. */
const dearer = (amountMinor: number): ProductConfig => ({
  ...shop,
  plans: shop.plans.map((plan) =>
    plan.id === small.id && plan.prices ? { ...plan, prices: { ...plan.prices, month: { amountMinor } } } : plan,
  ),
});

async function setUp(config: ProductConfig = shop, isDryRun = false, isRenamed = false): Promise<string[]> {
  const lines: string[] = [];
  // Retries, as the command's own does: while one run makes an object, Stripe refuses another the same key.
  const patient = local.sdkWith("local-key", { maxNetworkRetries: 2 });
  await setUpStripe({ stripe: patient, product: config, origin, isDryRun, isRenamed, log: (line) => lines.push(line) });
  return lines;
}

/** What was done, line by line, without continuation lines and those of settings that no run can see. */
const deeds = (lines: string[]) =>
  lines.map((line) => line.slice(0, 11).trim()).filter((deed) => deed !== "" && deed !== "by hand");

const objects = async () => ({
  products: (await stripe.products.list({ limit: 100 })).data,
  prices: (await stripe.prices.list({ limit: 100 })).data,
  endpoints: (await stripe.webhookEndpoints.list({ limit: 100 })).data,
  portals: (await stripe.billingPortal.configurations.list({ limit: 100 })).data,
});

describe("setting up", () => {
  test("with --dry-run prints what would be created, and creates nothing", async () => {
    expect(new Set(deeds(await setUp(shop, true)))).toEqual(new Set(["to create", "unchanged"]));
    expect(await objects()).toEqual({ products: [], prices: [], endpoints: [], portals: [] });
  });

  test("twice at the same time creates each object once, and changes nothing when it is run again", async () => {
    await Promise.all([setUp(), setUp()]);
    const made = await objects();
    expect([made.products, made.prices, made.endpoints, made.portals].map(({ length }) => length)).toEqual([
      paidPlans,
      2 * paidPlans,
      1,
      1,
    ]);
    expect(made.prices.every(({ active, tax_behavior }) => active && tax_behavior === "inclusive")).toBe(true);
    expect(made.endpoints).toMatchObject([
      { url: `${origin}/webhooks/stripe`, api_version: API_VERSION, status: "enabled", enabled_events: WEBHOOK_EVENTS },
    ]);
    const again = await setUp();
    expect(deeds(again)).toHaveLength(3 * paidPlans + 3);
    expect(new Set(deeds(again))).toEqual(new Set(["unchanged"]));
    expect(deeds(await setUp(shop, true))).toEqual(deeds(again));
    expect(await objects()).toEqual(made);
  });

  test("with another amount creates a new price, archives the old one, and keeps it for its subscribers", async () => {
    const { customer, session } = await openCheckout(
      stripe,
      String((await stripe.prices.list({ lookup_keys: [monthly] })).data[0]?.id),
    );
    await local.control("checkout", { session: session.id, outcome: "paid" });
    const planned = await setUp(dearer(more), true);
    expect(planned.filter((line) => line.startsWith("to "))).toEqual([
      expect.stringMatching(
        pattern`^to update {2}price ${monthly} \(${more} ${product.currency.toLowerCase()} .*, to archive price_\w+$`,
      ),
    ]);
    expect((await stripe.prices.list({ lookup_keys: [monthly] })).data).toMatchObject([{ unit_amount: minor(small) }]);

    await Promise.all([setUp(dearer(more)), setUp(dearer(more))]);
    const { data } = await stripe.prices.list({ product: `foyer_${small.id}`, recurring: { interval: "month" } });
    expect(data).toMatchObject([
      { unit_amount: more, active: true, lookup_key: monthly },
      { unit_amount: minor(small), active: false, lookup_key: null },
    ]);
    // Nothing listens at the endpoint, and the call would wait for it.
    await local.control("disorder", { drop: 1000 });
    await local.control("clock", { advanceDays: 32 });
    await local.control("disorder", {});
    const [renewal] = (await stripe.invoices.list({ customer: customer.id })).data;
    expect(renewal).toMatchObject({ billing_reason: "subscription_cycle", amount_paid: minor(small) });

    // Back and forth within the day for which Stripe repeats an answer.
    await setUp();
    await setUp(dearer(more));
    await setUp();
    const [now, ...before] = (
      await stripe.prices.list({ product: `foyer_${small.id}`, recurring: { interval: "month" } })
    ).data;
    expect(now).toMatchObject({ unit_amount: minor(small), active: true, lookup_key: monthly });
    expect(before.every(({ active, lookup_key }) => !active && lookup_key === null)).toBe(true);
    expect(new Set(deeds(await setUp()))).toEqual(new Set(["unchanged"]));
  });

  test("creates a price again whose lookup key was removed by hand, although Stripe repeats its answer", async () => {
    const [price] = (await stripe.prices.list({ lookup_keys: [`${large.id}_year`] })).data;
    await stripe.prices.update(String(price?.id), { lookup_key: "" });
    await setUp();
    const [made] = (await stripe.prices.list({ lookup_keys: [`${large.id}_year`] })).data;
    expect(made).toMatchObject({ unit_amount: minor(large, "year"), active: true });
    await stripe.prices.update(String(made?.id), { lookup_key: "" });
    await setUp();
    expect((await stripe.prices.list({ lookup_keys: [`${large.id}_year`] })).data).toMatchObject([{ active: true }]);
  });

  test("gives the plans the config's statement descriptor, and corrects another", async () => {
    const named = { ...shop, statementDescriptor: "Heron Watch" };
    const descriptors = async () =>
      (await stripe.products.list({ limit: 100 })).data
        .filter(({ id }) => id.startsWith("foyer_"))
        .map(({ statement_descriptor: text }) => text);
    await setUp(named);
    expect(new Set(await descriptors())).toEqual(new Set(["Heron Watch"]));
    await stripe.products.update(`foyer_${large.id}`, { statement_descriptor: "Something else" });
    await setUp(named);
    expect(new Set(await descriptors())).toEqual(new Set(["Heron Watch"]));
    expect(deeds(await setUp(named)).filter((deed) => deed !== "unchanged")).toEqual([]);
  });

  test("corrects manual changes: names, the endpoint, and a portal in which plans could be changed", async () => {
    await stripe.products.update(`foyer_${large.id}`, { name: "Something else", active: false });
    const [endpoint] = (await stripe.webhookEndpoints.list()).data;
    await stripe.webhookEndpoints.update(String(endpoint?.id), { enabled_events: ["*"], disabled: true });
    const [portal] = (await stripe.billingPortal.configurations.list()).data;
    await stripe.billingPortal.configurations.update(String(portal?.id), {
      features: { customer_update: { enabled: true, allowed_updates: ["email"] } },
    });
    const lines = await setUp();
    expect(deeds(lines).filter((deed) => deed !== "unchanged")).toEqual(["updated", "updated", "updated"]);
    expect((await objects()).portals).toMatchObject([
      {
        is_default: false,
        default_return_url: `${origin}/settings/${shop.segment}/plan`,
        business_profile: {
          privacy_policy_url: `${origin}/legal/privacy`,
          terms_of_service_url: `${origin}/legal/terms`,
        },
        features: {
          customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
          payment_method_update: { enabled: true },
          subscription_cancel: { enabled: false },
          subscription_update: { enabled: false },
        },
      },
    ]);
    expect(await stripe.products.retrieve(`foyer_${large.id}`)).toMatchObject({
      name: `${shop.name} ${large.name}`,
      active: true,
    });
  });

  test("keeps its own portal configuration a day later, beside those of other sites and the dashboard", async () => {
    const { configurations } = stripe.billingPortal;
    const [own] = (await configurations.list()).data;
    await local.control("portal", {});
    await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: false } },
      metadata: { foyer_origin: "https://elsewhere.example" },
    });
    // Stripe drops idempotency keys after a day.
    await local.control("clock", { advanceDays: 1.1 });
    await Promise.all([setUp(), setUp()]);
    expect((await configurations.list()).data).toHaveLength(3);
    expect(await configurations.retrieve(String(own?.id))).toMatchObject({ metadata: { foyer_origin: origin } });
  });

  test("lists what only the dashboard can set, with the emulator's retry schedule, on every run", async () => {
    expect(retryAfterDays).toEqual(RETRY_AFTER_DAYS);
    for (const isDryRun of [true, false]) {
      const lines = (await setUp(shop, isDryRun)).map((line) => line.trim());
      expect(lines).toContainEqual(
        expect.stringMatching(/^by hand .*dashboard\.stripe\.com\/revenue_recovery\/retries/),
      );
      expect(lines).toContainEqual(expect.stringContaining("4 retries, 2, 5, 7, 7 days"));
      expect(lines).toContainEqual(expect.stringContaining("mark the subscription as unpaid"));
    }
  });

  test("reads the payment methods that checkout offers", async () => {
    expect((await setUp()).join("\n")).toContain("unchanged  payment methods: card, sepa_debit");
  });

  test("hands over the signing secret of a new endpoint, and replaces one whose secret is lost", async () => {
    const [before] = (await stripe.webhookEndpoints.list()).data;
    const kept: string[] = [];
    const again = (needsSecret: boolean, isDryRun = false) =>
      setUpStripe({
        stripe,
        product: shop,
        origin,
        isDryRun,
        needsSecret,
        log: () => undefined,
        keepSecret: async (secret) => void kept.push(secret),
      });
    await again(false);
    await again(true, true);
    expect([kept, (await stripe.webhookEndpoints.list()).data[0]?.id]).toEqual([[], before?.id]);
    await Promise.all([again(true), again(true)]);
    const after = (await stripe.webhookEndpoints.list()).data;
    expect(after).toMatchObject([{ url: before?.url, enabled_events: WEBHOOK_EVENTS }]);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(new Set(kept).size).toBe(1);
  });

  test("removes an endpoint whose secret can't be stored, so that the next run makes another and stores its secret", async () => {
    const list = async () =>
      (await stripe.webhookEndpoints.list({ limit: 100 })).data.filter(({ url }) => url === hook);
    const elsewhere = "http://localhost:9002";
    const hook = `${elsewhere}/webhooks/stripe`;
    const kept: string[] = [];
    const wanted = { stripe, product: shop, origin: elsewhere, log: () => undefined };
    const refusing = async () => {
      const printed = "\u001b[31m✘ [ERROR]\u001b[0m A request failed.\n\n  Authentication error [code: 10000]\n";
      throw new Error(`wrangler secret bulk ended with 1\n${printed}`);
    };
    const error: unknown = await setUpStripe({ ...wanted, keepSecret: refusing }).catch((thrown: unknown) => thrown);
    const message = messageOf(error, "Stripe");
    expect(message).toContain("Stopped at storing");
    expect(message).toContain("A request failed. Authentication error [code: 10000].");
    expect(message).toContain("Run this again");
    expect(await list()).toEqual([]);
    await setUpStripe({ ...wanted, keepSecret: async (secret) => void kept.push(secret) });
    const made = await list();
    expect([made.length, kept.length]).toEqual([1, 1]);
    // One that is to be replaced stays until then: the Worker may still take its events.
    const replacing = setUpStripe({ ...wanted, needsSecret: true, keepSecret: refusing });
    await expect(replacing).rejects.toThrow("Stopped at storing");
    expect(await list()).toEqual(made);
    for (const { id } of made) await stripe.webhookEndpoints.del(id);
  });

  test("reports what it can't change: an endpoint of another API version, and a duplicate one", async () => {
    await stripe.webhookEndpoints.create({ url: `${origin}/webhooks/stripe`, enabled_events: ["*"] });
    const twice = (await setUp()).join("\n");
    expect(twice).toContain("is there 2 times");
    expect(twice).toContain("set the signing secret of the one that stays");
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    await setUpStripe({ stripe, product: shop, origin, needsSecret: true, log });
    expect(lines.join("\n")).toContain("run this again: until then nothing is stored");
    const [newer, older] = (await stripe.webhookEndpoints.list()).data;
    await stripe.webhookEndpoints.update(String(older?.id), { url: "http://localhost:8787/elsewhere" });
    expect((await setUp()).join("\n")).toContain("API version of the account, which can't be changed");
    await stripe.webhookEndpoints.update(String(newer?.id), { url: "http://localhost:8787/elsewhere-too" });
  });
});

describe("an account with another product", () => {
  const other: ProductConfig = { ...shop, name: "Skua" };
  const refusal = async (config: ProductConfig, isDryRun = false, isRenamed = false) => {
    const error: unknown = await setUp(config, isDryRun, isRenamed).catch((thrown: unknown) => thrown);
    return messageOf(error, "Stripe");
  };
  const owners = async () => {
    const { products, prices } = await objects();
    const made = products.filter(({ id }) => id.startsWith("foyer_"));
    const sold = prices.filter(({ product, lookup_key }) => lookup_key && made.some(({ id }) => id === product));
    return new Set([...made, ...sold].map(({ metadata }) => metadata["foyer_product"]));
  };

  test("is refused before anything is changed, also in a dry run, until it is said to be renamed", async () => {
    await setUp();
    expect(await owners()).toEqual(new Set([shop.name]));
    const before = await objects();
    for (const isDryRun of [true, false]) {
      const message = await refusal(other, isDryRun);
      expect(message).toContain(`This Stripe account has ${shop.name}'s product foyer_`);
      expect(message).toContain(`product foyer_${small.id}, `);
      expect(message).toContain(`price ${monthly}, `);
      expect(message).toContain("this clone's product is Skua");
      expect(message).toContain("-- --renamed");
    }
    expect(await objects()).toEqual(before);
    await setUp(other, false, true);
    expect(await owners()).toEqual(new Set(["Skua"]));
    expect(await refusal(shop)).toContain("has Skua's product");
    await setUp(shop, false, true);
    expect(await owners()).toEqual(new Set([shop.name]));
    expect((await objects()).prices).toHaveLength(before.prices.length);
  });

  test("is refused for a price alone, beyond the ten that Stripe finds in a call", async () => {
    const plans = Array.from({ length: 6 }, (_, nth) => ({ ...small, id: `copy-${nth}` }));
    const { id: product } = await stripe.products.create({ name: "Copy" });
    const theirs = { product, currency: shop.currency.toLowerCase(), unit_amount: more, lookup_key: "copy-5_year" };
    const recurring = { interval: "year" } as const;
    const { id } = await stripe.prices.create({ ...theirs, recurring, metadata: { foyer_product: "Skua" } });
    expect(await refusal({ ...shop, plans })).toContain("has Skua's price copy-5_year, and");
    await stripe.prices.update(id, { lookup_key: "" });
  });

  test("is assumed of a price of something that isn't Foyer's", async () => {
    const { id } = await stripe.products.create({ name: "A hat" });
    const hat = { product: id, currency: "eur", unit_amount: 900, recurring: { interval: "month" } } as const;
    const price = await stripe.prices.create({ ...hat, lookup_key: "copy-7_month" });
    const plans = shop.plans.map((plan) => (plan.id === small.id ? { ...plan, id: "copy-7" } : plan));
    for (const isRenamed of [false, true]) {
      const message = await refusal({ ...shop, plans }, false, isRenamed);
      expect(message).toContain("something else with the lookup key of a plan: price copy-7_month.");
      expect(message).not.toContain("--renamed");
    }
    await stripe.prices.update(price.id, { lookup_key: "" });
  });

  test("isn't assumed of what lost its name by hand, which gets it again", async () => {
    const { products, prices } = await objects();
    const sold = prices.find(({ lookup_key }) => lookup_key === monthly);
    const nameless = { metadata: { foyer_product: "" } };
    for (const { id } of products) await stripe.products.update(id, nameless);
    await stripe.prices.update(String(sold?.id), nameless);
    expect(deeds(await setUp(shop)).filter((deed) => deed === "updated")).toHaveLength(paidPlans + 1);
    expect((await objects()).prices.find(({ lookup_key }) => lookup_key === monthly)?.id).toBe(sold?.id);
    expect(new Set(deeds(await setUp()))).toEqual(new Set(["unchanged"]));
  });
});

describe("the key that the Worker is to get", () => {
  const keepSecret = vi.fn<(webhookSecret: string) => Promise<void>>();
  const setUpWith = async (workerStripe: Stripe) => {
    const wanted = { stripe, workerStripe, product: shop, origin: "https://keys.company.com", log: () => undefined };
    try {
      await setUpStripe({ ...wanted, keepSecret });
      return "done";
    } catch (error) {
      return messageOf(error, "Stripe");
    }
  };
  const refusing = (error: Error) => {
    const list = async () => {
      throw error;
    };
    return { prices: { list } } as unknown as Stripe;
  };

  test("is refused if it is of another account or may not read prices, before anything is stored in the Worker", async () => {
    await setUp();
    const other = await setUpStripeEmulator();
    await setUpStripe({ stripe: other.stripe, product: shop, origin, log: () => undefined });
    expect(await setUpWith(other.stripe)).toContain("WORKER_STRIPE_SECRET_KEY is of another Stripe account");
    const errors = [
      new Stripe.errors.StripePermissionError({ type: "invalid_request_error", message: "No rak_price_read" }),
      new Stripe.errors.StripeAuthenticationError({ type: "invalid_request_error", message: "Invalid API Key" }),
    ];
    for (const error of errors) {
      expect(await setUpWith(refusing(error))).toContain(
        `WORKER_STRIPE_SECRET_KEY can't read prices, as the Worker has to: ${error.message}. `,
      );
    }
    expect(keepSecret).not.toHaveBeenCalled();
    expect((await objects()).endpoints.map(({ url }) => url)).not.toContain("https://keys.company.com/webhooks/stripe");
    expect(await setUpWith(stripe)).toBe("done");
    expect(keepSecret).toHaveBeenCalledOnce();
  });
});

describe("npm run stripe:setup -- --to", () => {
  const worker = String(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }).name);
  const deployed = { [`${worker}-staging`]: "https://try.company.com" };

  const account = async (secrets: string[]) => {
    const api = await startCloudflareApi({ secrets, deployed });
    vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
    vi.stubEnv("CLOUDFLARE_API_BASE_URL", api.url);
    // The commands take over the environment when they are loaded.
    vi.resetModules();
    const { findDeployedWorker } = await import("../../../scripts/stripe/deployed-worker.ts");
    const find = (setUp: string, worker = "", to = "staging") => findDeployedWorker(to, undefined, { setUp, worker });
    return { api, find, uploads: () => api.calls.filter((call) => call.startsWith("PATCH")).length };
  };
  afterEach(() => vi.unstubAllEnvs());

  test("finds the Worker's address, and stores both secrets in one step", async () => {
    const { api, find, uploads } = await account(["CODE_PEPPER"]);
    const found = await find("sk_test_1");
    expect(found).toMatchObject({ origin: "https://try.company.com", needsSecret: true });
    expect(await found.store("whsec_1")).toEqual([
      `stored     STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET of ${worker}-staging`,
    ]);
    expect(api.values).toEqual({ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" });
    expect(uploads()).toBe(1);
    const other = await find("rk_test_2");
    expect(other.needsSecret).toBe(false);
    // Whether the key that it has is of the same account can't be read: that is said.
    const [stored, kept, fix] = await other.store("whsec_2");
    expect(stored).toBe(`stored     STRIPE_WEBHOOK_SECRET of ${worker}-staging`);
    expect(kept).toContain("has to be of the Stripe account of this command's key");
    expect(fix).toContain("WORKER_STRIPE_SECRET_KEY, which replaces it");
    expect(api.values).toEqual({ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_2" });
    // A deployment refuses the key alone, and the signing secret needs a deployed Worker.
    const first = `isn't deployed yet: npx wrangler secret delete STRIPE_SECRET_KEY --name ${worker}, then npm run deploy`;
    await expect(find("sk_live_1", "", "production")).rejects.toThrow(first);
    api.close();
    const empty = await account([]);
    await expect(empty.find("sk_live_1", "", "production")).rejects.toThrow("isn't deployed yet: npm run deploy");
    empty.api.close();
  });

  test("never gives a Worker the restricted key of the set-up, and says how to give it one of its own", async () => {
    const { api, find, uploads } = await account(["STRIPE_WEBHOOK_SECRET"]);
    await expect(find("rk_test_setup")).rejects.toThrow(/ WORKER_STRIPE_SECRET_KEY=rk_test_… .* --to staging$/);
    const found = await find("rk_test_setup", "rk_test_payments");
    expect(found.needsSecret).toBe(true);
    await found.store("whsec_1");
    expect(api.values).toEqual({ STRIPE_SECRET_KEY: "rk_test_payments", STRIPE_WEBHOOK_SECRET: "whsec_1" });
    expect(uploads()).toBe(1);
    api.close();
  });

  test("replaces the Worker's key by a named one, with a new signing secret, which belongs to the same account", async () => {
    const { api, find, uploads } = await account(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]);
    expect((await find("sk_test_1")).needsSecret).toBe(false);
    const found = await find("sk_test_1", "rk_test_new");
    expect(found.needsSecret).toBe(true);
    expect(await found.store("whsec_1")).toEqual([
      `stored     STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET of ${worker}-staging`,
    ]);
    expect(api.values).toEqual({ STRIPE_SECRET_KEY: "rk_test_new", STRIPE_WEBHOOK_SECRET: "whsec_1" });
    expect(uploads()).toBe(1);
    api.close();
  });

  test.each([
    ["production", "sk_test_1", "", "takes no key of Stripe's test mode"],
    ["staging", "rk_live_1", "", "A live key belongs to production"],
    ["staging", "local-key", "", "has to be a key of your Stripe account"],
    ["moon", "sk_test_1", "", "--to is production, staging or preview"],
    ["staging", "sk_test_1", "rk_live_1", "are of two modes"],
    ["production", "sk_live_1", "rk_test_1", "are of two modes"],
    ["staging", "sk_test_1", "pk_test_1", "WORKER_STRIPE_SECRET_KEY is no key of Stripe's"],
  ])("refuses for %s the key %s, and %s for the Worker", async (to, setUp, worker, why) => {
    await expect(findDeployedWorker(to, undefined, { setUp, worker })).rejects.toThrow(why);
  });
});

describe("npm run stripe:setup", () => {
  async function run(env: Record<string, string | undefined>, ...args: string[]) {
    const started = spawn("npm", ["run", "--silent", "stripe:setup", "--", ...args], {
      env: { ...process.env, STRIPE_SECRET_KEY: "local-key", STRIPE_API_BASE: local.origin, ...env },
    });
    const ended = new Promise<number | null>((resolve) => started.on("exit", resolve));
    const [output, errors] = await Promise.all([text(started.stdout), text(started.stderr)]);
    return { output, errors, status: await ended };
  }

  test("prints one line per object, and with --dry-run what it would do", async () => {
    const looked = await run({ PUBLIC_ORIGIN: "http://localhost:9001" }, "--dry-run");
    expect(looked).toMatchObject({ status: 0, errors: "" });
    expect(looked.output).toContain("to create  webhook endpoint http://localhost:9001/webhooks/stripe");
    const done = await run({ PUBLIC_ORIGIN: "http://localhost:9001" });
    expect(done).toMatchObject({ status: 0, errors: "" });
    expect(done.output).toContain("created    webhook endpoint http://localhost:9001/webhooks/stripe");
  });

  test("refuses another product's account, and takes it over with --renamed", async () => {
    await stripe.products.update(`foyer_${small.id}`, { metadata: { foyer_product: "Skua" } });
    const env = { PUBLIC_ORIGIN: "http://localhost:9001" };
    const refused = await run(env);
    expect(refused).toMatchObject({
      status: 1,
      errors: expect.stringContaining(`has Skua's product foyer_${small.id}, and`),
    });
    expect(refused.errors).not.toContain("    at ");
    const renamed = await run(env, "--renamed");
    expect(renamed).toMatchObject({ status: 0, errors: "" });
    expect(renamed.output).toContain(`updated    product foyer_${small.id}`);
  });

  test.each([
    [{ STRIPE_SECRET_KEY: "", PUBLIC_ORIGIN: "" }, ["STRIPE_SECRET_KEY is missing", "PUBLIC_ORIGIN is missing"]],
    [
      { STRIPE_SECRET_KEY: "sk_test_1", PUBLIC_ORIGIN: "http://localhost:8787" },
      ["STRIPE_API_BASE names a Stripe emulator", "can't bring its events"],
    ],
    [
      { STRIPE_SECRET_KEY: "rk_live_1", STRIPE_API_BASE: "", PUBLIC_ORIGIN: "http://foyer.example" },
      ["not https, and the key is a live one"],
    ],
    [
      { STRIPE_SECRET_KEY: "pk_live_1", STRIPE_API_BASE: "", PUBLIC_ORIGIN: "https://foyer.example/" },
      ["the publishable key", "PUBLIC_ORIGIN is not an origin"],
    ],
    [
      { STRIPE_SECRET_KEY: "abc", STRIPE_API_BASE: undefined },
      ["STRIPE_SECRET_KEY is no key of Stripe's", "PUBLIC_ORIGIN is missing"],
    ],
    [
      { STRIPE_SECRET_KEY: "sk_live_1", STRIPE_API_BASE: "", PUBLIC_ORIGIN: "https://foyer.example" },
      ["--to production, or --live"],
    ],
    [
      { PUBLIC_ORIGIN: "http://localhost:9001", WORKER_STRIPE_SECRET_KEY: "sk_test_1" },
      ["WORKER_STRIPE_SECRET_KEY is for a deployed Worker"],
    ],
    [{ STRIPE_API_BASE: "nowhere" }, ["STRIPE_API_BASE is not an origin"]],
    [{ STRIPE_API_BASE: "" }, ["doesn't say where the Stripe emulator is"]],
  ])("names everything that is missing or wrong: %j", async (env, problems) => {
    const { status, errors } = await run(env);
    expect(status).toBe(1);
    for (const problem of problems) expect(errors).toContain(problem);
    expect(errors.match(/^ {2}- /gm)).toHaveLength(problems.length);
  });

  test.each([
    [
      { STRIPE_SECRET_KEY: "nobody", PUBLIC_ORIGIN: "http://localhost:9001" },
      "Stripe refused",
      "doesn't know the key in STRIPE_SECRET_KEY",
    ],
    [
      { STRIPE_API_BASE: "http://localhost:1" },
      "Stopped",
      "http://localhost:1 can't be reached. It runs while npm start",
    ],
  ])("prints why and where it stopped: %j", async (env, what, cause) => {
    const { status, errors } = await run(env);
    expect(status).toBe(1);
    expect(errors).toContain(`${what} at the account's products and prices`);
    expect(errors).toContain(cause);
    expect(errors).not.toContain("    at ");
  });
});
