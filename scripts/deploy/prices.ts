/**
 * Decides what a deployment does about prices: Stripe has those of the new config before its code runs, since the site sells nothing at
 * another price than its pages show. Called from `deploy.ts`.
 */
import Stripe from "stripe";
import { isTestKey } from "#app/integrations/stripe/keys.ts";
import { differences } from "#app/integrations/stripe/prices.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { shownPrices } from "#app/modules/catalogue/shown-prices.rules.ts";
import { setUpCommands } from "#app/set-up-commands.ts";
import { refuseOtherProducts, setUpCatalogue } from "../stripe/catalogue.ts";
import { openStripe } from "../stripe/open-stripe.ts";
import { messageOf } from "../stripe/refusals.ts";
import { readSettings, settingProblems } from "../stripe/settings.ts";
import { type Target, targetCommand } from "./target.ts";

/** Queries of the remote database: the prices that the running Worker's config has. */
export const soldPricesQuery = "select plan_id, json_extract(plan, '$.prices') as prices from sold_plans";

export type SoldPrices = { plan_id: string; prices: string | null };

/** The lookup keys of prices that the running Worker doesn't sell so. Of one that never ran, nothing is known; currencies aren't stored. */
export function changedPrices(config: ProductConfig, sold: readonly SoldPrices[]): string[] {
  if (sold.length === 0) return [];
  const before = new Map(sold.map(({ plan_id: id, prices }) => [id, prices ?? "null"]));
  return shownPrices(config)
    .filter(({ planId, interval, amountMinor }) => {
      const prices: Record<string, { amountMinor: number } | undefined> | null = JSON.parse(
        before.get(planId) ?? "null",
      );
      return prices?.[interval]?.amountMinor !== amountMinor;
    })
    .map(({ key }) => key);
}

type Deployment = {
  product: ProductConfig;
  target: Target;
  /** Of the Worker: without Stripe's key it sells nothing. */
  secretNames: readonly string[];
  sold: readonly SoldPrices[];
  environment: Readonly<Record<string, string | undefined>>;
  origin: string;
  isRenamed: boolean;
  /** Stripe has the new prices already, which the database doesn't know. */
  areMade: boolean;
};

type PricesToMake = {
  problems: string[];
  /** Stripe has other prices than this config, a sentence each. */
  missing: readonly string[];
  /** Makes them. Throws what Stripe refused, in a sentence. */
  make: () => Promise<void>;
};

const nothing: PricesToMake = { problems: [], missing: [], make: async () => undefined };

export async function comparePrices(deployment: Deployment): Promise<PricesToMake> {
  const { product, target, environment, origin, isRenamed } = deployment;
  if (!deployment.secretNames.includes("STRIPE_SECRET_KEY")) return nothing;
  const settings = { ...readSettings(environment, {}), origin };
  if (settings.key === "") return { ...nothing, problems: withoutKey(deployment) };
  const problems = [...settingProblems(settings), ...wrongMode(target, settings.key)];
  if (problems.length > 0) return { ...nothing, problems };
  const where = settings.apiBase || "Stripe";
  const setUp = { stripe: openStripe(settings), log: (line: string) => console.log(`  ${line}`) };
  try {
    const missing = await differences(setUp.stripe, shownPrices(product));
    const make = async () => {
      await refuseOtherProducts(setUp, product, isRenamed);
      await setUpCatalogue(setUp, product);
    };
    return { problems: [], missing, make: () => make().catch((error) => throwMessage(error, where)) };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return {
      ...nothing,
      problems: [`Stripe's prices can't be read with the key in STRIPE_SECRET_KEY: ${error.message}`],
    };
  }
}

function throwMessage(error: unknown, where: string): never {
  throw new Error(messageOf(error, where), { cause: error });
}

/** Without a key the deployment can't ask Stripe: the database tells whether it has to. */
function withoutKey({ product, target, sold, areMade }: Deployment): string[] {
  const changed = areMade ? [] : changedPrices(product, sold);
  if (changed.length === 0) return [];
  const deploy = `STRIPE_SECRET_KEY=… ${targetCommand("deploy", target)}`;
  return [
    `The running version has other prices (${changed.join(", ")}), and Stripe needs the new ones first: ${deploy} makes them. Or make them with ${setUpCommands.setUpStripe(target.kind, false)}, then say -- --prices-made`,
  ];
}

/** Test keys belong to staging and previews, live ones to production. */
function wrongMode({ kind }: Target, key: string): string[] {
  if (!/^(sk|rk)_/.test(key)) return [];
  if (kind === "production" && isTestKey(key))
    return ["STRIPE_SECRET_KEY is a test key, and production has a live one"];
  return kind === "production" || isTestKey(key)
    ? []
    : [`STRIPE_SECRET_KEY is a live key, which belongs to production, not to ${kind}`];
}
