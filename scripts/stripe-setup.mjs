// Creates in Stripe what the site sells: one product per paid plan, one price per plan and interval, the webhook endpoint.
// Safe to run again: it changes only what differs from app/product.config.ts, and prints one line per thing.
//
//   npm run stripe:setup            the account that STRIPE_SECRET_KEY and STRIPE_API_BASE name (environment, then .dev.vars)
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import Stripe from "stripe";
import { heardEvents } from "../app/gateways/payment-provider-events.ts";

const API_VERSION = "2026-10-28.endive";

/** In the order in which they are compared with what an endpoint has. */
export const WEBHOOK_EVENTS = [...heardEvents].sort();

/**
 * @param {object} options
 * @param {Stripe} options.stripe
 * @param {string} options.product what the whole thing is called, e.g. Tern
 * @param {readonly { id: string, name: string, prices: Record<string, { amountMinor: number }> | null }[]} options.plans
 * @param {string} options.currency
 * @param {string} options.webhookUrl
 * @param {(line: string) => void} options.log
 */
export async function setUpStripe({ stripe, product, plans, currency, webhookUrl, log }) {
  for (const plan of plans) {
    if (plan.prices === null) continue;
    const productId = await setUpProduct(stripe, { plan: plan.id, name: `${product} ${plan.name}` }, log);
    for (const [interval, { amountMinor }] of Object.entries(plan.prices)) {
      await setUpPrice(
        stripe,
        { plan: plan.id, interval, amountMinor, currency: currency.toLowerCase(), productId },
        log,
      );
    }
  }
  await setUpWebhook(stripe, webhookUrl, log);
}

async function setUpProduct(stripe, { plan, name }, log) {
  const id = `foyer_${plan}`;
  const existing = await stripe.products.retrieve(id).catch(absent);
  if (existing === null) {
    await stripe.products.create({ id, name, metadata: { plan } });
    log(`created    product ${id} (${name})`);
  } else if (existing.name !== name || !existing.active || existing.metadata.plan !== plan) {
    await stripe.products.update(id, { name, active: true, metadata: { plan } });
    log(`updated    product ${id} (${name})`);
  } else {
    log(`unchanged  product ${id} (${name})`);
  }
  return id;
}

/** A price's amount can't change: a new one takes over the lookup key, and the old one stays for those who pay it. */
async function setUpPrice(stripe, { plan, interval, amountMinor, currency, productId }, log) {
  const key = `${plan}_${interval}`;
  const { data } = await stripe.prices.list({ lookup_keys: [key], limit: 1 });
  const [existing] = data;
  const isSame =
    existing !== undefined &&
    existing.active &&
    existing.unit_amount === amountMinor &&
    existing.currency === currency &&
    existing.product === productId &&
    existing.tax_behavior === "inclusive" &&
    existing.recurring?.interval === interval &&
    existing.recurring.interval_count === 1;
  const words = `price ${key} (${amountMinor} ${currency} minor units per ${interval})`;
  if (isSame) {
    log(`unchanged  ${words}`);
    return;
  }
  await stripe.prices.create({
    product: productId,
    currency,
    unit_amount: amountMinor,
    recurring: { interval },
    tax_behavior: "inclusive",
    lookup_key: key,
    transfer_lookup_key: true,
    metadata: { plan, interval },
  });
  if (existing === undefined) {
    log(`created    ${words}`);
    return;
  }
  if (existing.active) await stripe.prices.update(existing.id, { active: false });
  log(`updated    ${words}, archived ${existing.id}`);
}

async function setUpWebhook(stripe, url, log) {
  let existing = null;
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === url) existing = endpoint;
  if (existing === null) {
    const created = await stripe.webhookEndpoints.create({
      url,
      enabled_events: WEBHOOK_EVENTS,
      api_version: API_VERSION,
      description: "Foyer",
    });
    log(`created    webhook endpoint ${url}`);
    // The local one signs with a secret that the site knows already.
    if (!created.secret?.startsWith("local-"))
      log(`           its signing secret is shown by Stripe (endpoint ${created.id}): set it as STRIPE_WEBHOOK_SECRET`);
  } else if (existing.status !== "enabled" || [...existing.enabled_events].sort().join() !== WEBHOOK_EVENTS.join()) {
    await stripe.webhookEndpoints.update(existing.id, { enabled_events: WEBHOOK_EVENTS, disabled: false });
    log(`updated    webhook endpoint ${url}`);
  } else {
    log(`unchanged  webhook endpoint ${url}`);
  }
}

function absent(error) {
  if (error.code === "resource_missing") return null;
  throw error;
}

async function main() {
  const local = readVars(".dev.vars");
  const setting = (name) => process.env[name] ?? local[name] ?? "";
  const key = setting("STRIPE_SECRET_KEY");
  const origin = setting("PUBLIC_ORIGIN");
  if (key === "" || origin === "") {
    console.error("Set STRIPE_SECRET_KEY and PUBLIC_ORIGIN, in the environment or in .dev.vars.");
    process.exitCode = 1;
    return;
  }
  const base = setting("STRIPE_API_BASE") === "" ? null : new URL(setting("STRIPE_API_BASE"));
  const stripe = new Stripe(key, {
    apiVersion: API_VERSION,
    telemetry: false,
    ...(base !== null && { host: base.hostname, port: Number(base.port), protocol: base.protocol.slice(0, -1) }),
  });
  const { product } = await import("../app/product.config.ts");
  await setUpStripe({
    stripe,
    product: product.name,
    plans: product.plans,
    currency: product.currency,
    webhookUrl: `${origin}/webhooks/stripe`,
    log: console.log,
  });
}

/** `NAME="value"` lines, as wrangler reads them. No file, no values. */
function readVars(path) {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)\s*=\s*"?([^"\n]*)"?\s*$/gm)].map(([, name, value]) => [name, value]),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error) => {
    console.error(`Stripe refused: ${error.message}`);
    process.exitCode = 1;
  });
}
