import Stripe from "stripe";
import { hourMs } from "#app/core/time/time.ts";
import { differences } from "#app/integrations/stripe/prices.ts";
import { shownPrices } from "#app/modules/catalogue/shown-prices.rules.ts";
import { product } from "#app/product/config.ts";
import { isTestKey } from "#app/integrations/stripe/keys.ts";
import { openStripe } from "../stripe/open-stripe.ts";
import { settingProblems, type Settings } from "../stripe/settings.ts";
import { listPaymentMethods } from "../stripe/payment-methods.ts";
import { listEndpoints } from "../stripe/webhook.ts";
import type { Answered, SiteFacts } from "./facts.ts";

/** Stripe tries a delivery again within the hour. */
const deliveredWithinMs = hourMs;

/** Gathers what the key may read of the account. */
export async function gatherStripe(settings: Settings, now: number): Promise<SiteFacts["stripe"]> {
  if (settings.key === "") return { unasked: "STRIPE_SECRET_KEY is needed, as the site has it" };
  const [problem] = settingProblems(settings);
  if (problem !== undefined) return { unasked: problem };
  const stripe = openStripe(settings, 1);
  const [endpoints, undelivered, paymentMethods, prices, fraudWarnings] = await Promise.all([
    ask(() => readEndpoints(stripe, `${settings.origin}/webhooks/stripe`)),
    ask(() => countUndelivered(stripe, now)),
    ask(() => listPaymentMethods(stripe)),
    ask(() => comparePrices(stripe)),
    ask(() => tryFraudWarnings(stripe)),
  ]);
  return { isTestKey: isTestKey(settings.key), endpoints, undelivered, paymentMethods, prices, fraudWarnings };
}

/** With those of this clone's config, which is the one that was deployed. */
async function comparePrices(stripe: Stripe) {
  const shown = shownPrices(product);
  return { sold: shown.length, differences: await differences(stripe, shown) };
}

async function readEndpoints(stripe: Stripe, url: string) {
  const endpoints = await listEndpoints(stripe, url);
  return endpoints.map(({ status, api_version, enabled_events }) => ({
    status,
    apiVersion: api_version,
    events: enabled_events,
  }));
}

async function countUndelivered(stripe: Stripe, now: number) {
  const { data } = await stripe.events.list({ delivery_success: false, limit: 100 });
  const old = data.filter(({ created }) => created * 1000 < now - deliveredWithinMs);
  return { count: old.length, newestAt: old[0] === undefined ? null : old[0].created * 1000 };
}

/** With the calls by which the Worker reads a bank's warning. */
async function tryFraudWarnings(stripe: Stripe): Promise<{ refusal: string | null }> {
  try {
    await stripe.radar.earlyFraudWarnings.list({ limit: 1 });
    await stripe.invoicePayments.list({ limit: 1 });
    return { refusal: null };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    return { refusal: error.message };
  }
}

/** A restricted key may lack one permission and have the others. */
async function ask<Known extends object>(read: () => Promise<Known>): Promise<Answered<Known>> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return { unasked: `Stripe gives this key no answer: ${error.message}` };
  }
}
