import type { Interval } from "#app/core/time/interval.ts";
import Stripe from "stripe";
import { intervalsOf, isSold, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { about, change, createOnce, say, type SetUp } from "./changes.ts";
import { ForeignPriceError, OtherProductError, WorkerKeyError } from "./refusals.ts";

/** The key in the metadata of products and prices, whose value is the `name` of the config that they were made from. */
const madeFor = "foyer_product";

type WantedProduct = {
  id: string;
  name: string;
  /** Subscriptions show their product's on statements. Left out, the account's own; Stripe offers no way to remove one. */
  statement_descriptor?: string;
  metadata: { plan: string; [madeFor]: string };
  prices: WantedPrice[];
};
type WantedPrice = {
  key: string;
  interval: Interval;
  amountMinor: number;
  currency: string;
  productId: string;
  metadata: { plan: string; interval: Interval; [madeFor]: string };
};

/** Retired plans are left out: their subscribers continue to renew at their prices, which stay as they are. */
function wantedProducts({ name, plans, currency, statementDescriptor }: ProductConfig): WantedProduct[] {
  return plans.filter(isSold).flatMap((plan) => {
    if (plan.prices === null) return [];
    const id = `foyer_${plan.id}`;
    const prices = intervalsOf(plan).flatMap((interval) => {
      const price = plan.prices?.[interval];
      const metadata = { plan: plan.id, interval, [madeFor]: name };
      const more = {
        key: `${plan.id}_${interval}`,
        interval,
        currency: currency.toLowerCase(),
        productId: id,
        metadata,
      };
      return price ? [{ ...price, ...more }] : [];
    });
    const metadata = { plan: plan.id, [madeFor]: name };
    const shown = statementDescriptor === undefined ? {} : { statement_descriptor: statementDescriptor };
    return [{ id, name: `${name} ${plan.name}`, ...shown, metadata, prices }];
  });
}

/** How many lookup keys Stripe accepts in one call. */
const lookupKeysMax = 10;

/**
 * Two products with plans of the same ids would take over each other's products and prices. One whose name was removed by hand is
 * accepted. With `isRenamed`, so is another name; a price of a product that isn't Foyer's never is.
 */
export function refuseOtherProducts({ stripe }: SetUp, config: ProductConfig, isRenamed: boolean): Promise<void> {
  return about("the account's products and prices", async () => {
    const ids = wantedProducts(config).map(({ id }) => id);
    if (ids.length === 0) return;
    const [products, prices] = await Promise.all([
      stripe.products.list({ ids, limit: 100 }),
      listSoldPrices(stripe, config),
    ]);
    const isFoyers = ({ metadata, product }: Stripe.Price) =>
      Boolean(metadata[madeFor]) || (typeof product === "string" && ids.includes(product));
    const foreign = prices.filter((price) => !isFoyers(price)).map(({ lookup_key: key }) => `price ${key}`);
    if (foreign.length > 0) throw new ForeignPriceError(foreign);
    const others = [
      ...products.data.map((one) => ({ owner: one.metadata[madeFor], thing: `product ${one.id}` })),
      ...prices.map((one) => ({ owner: one.metadata[madeFor], thing: `price ${one.lookup_key}` })),
    ].flatMap(({ owner, thing }) => (!owner || owner === config.name ? [] : [{ owner, thing }]));
    if (others.length > 0 && !isRenamed) throw new OtherProductError(config.name, others);
  });
}

/** The Worker's key has to find the prices: in another account there are none, or others. */
export function refuseOtherAccount(setUp: SetUp, worker: Stripe, config: ProductConfig): Promise<void> {
  return about("the prices that the Worker finds", async () => {
    const made = await listSoldPrices(setUp.stripe, config);
    if (made.length === 0) say(setUp, "attention", "without prices, the Worker's key can't be compared with this one");
    const found = await listSoldPrices(worker, config).catch((error: unknown) => {
      const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
      const isOfKey = error instanceof StripeAuthenticationError || error instanceof StripePermissionError;
      throw isOfKey ? new WorkerKeyError(`can't read prices, as the Worker has to: ${error.message}`) : error;
    });
    const isFound = (price: Stripe.Price) => found.some(({ id }) => id === price.id);
    if (!made.every(isFound))
      throw new WorkerKeyError("is of another Stripe account than the one in STRIPE_SECRET_KEY");
  });
}

async function listSoldPrices(stripe: Stripe, config: ProductConfig): Promise<Stripe.Price[]> {
  const keys = wantedProducts(config).flatMap(({ prices }) => prices.map(({ key }) => key));
  const lists = await Promise.all(
    Array.from({ length: Math.ceil(keys.length / lookupKeysMax) }, (_, nth) =>
      stripe.prices.list({ lookup_keys: keys.slice(nth * lookupKeysMax, (nth + 1) * lookupKeysMax), limit: 100 }),
    ),
  );
  return lists.flatMap(({ data }) => data);
}

/** One product per paid plan, one price per plan and interval. */
export async function setUpCatalogue(setUp: SetUp, config: ProductConfig): Promise<void> {
  for (const { prices, ...product } of wantedProducts(config)) {
    const isThere = await setUpProduct(setUp, product);
    for (const price of prices) await setUpPrice(setUp, price, isThere);
  }
}

/** Returns false if there is no product and this is a dry run. */
function setUpProduct(setUp: SetUp, { id, ...wanted }: Omit<WantedProduct, "prices">): Promise<boolean> {
  const { products } = setUp.stripe;
  const { name, metadata } = wanted;
  const label = `product ${id} (${name})`;
  return about(label, async () => {
    const existing = await products.retrieve(id).catch(absent("resource_missing"));
    if (existing === null) {
      // A concurrent run may have created it first.
      const create = () => products.create({ id, ...wanted }).catch(absent("resource_already_exists"));
      await change(setUp, "created", label, create);
      return !setUp.isDryRun;
    }
    const isUnchanged =
      existing.name === name &&
      existing.active &&
      (wanted.statement_descriptor ?? existing.statement_descriptor) === existing.statement_descriptor &&
      hasMetadata(existing, metadata);
    if (isUnchanged) say(setUp, "unchanged", label);
    else await change(setUp, "updated", label, () => products.update(id, { ...wanted, active: true }));
    return true;
  });
}

/**
 * A price's amount can't change: a new one takes over the lookup key, by which the site finds it, and the old one is archived.
 * Its subscribers continue to pay it.
 */
async function setUpPrice(setUp: SetUp, wanted: WantedPrice, hasProduct: boolean): Promise<void> {
  const { prices } = setUp.stripe;
  const { key, metadata } = wanted;
  const label = `price ${key} (${wanted.amountMinor} ${wanted.currency} minor units per ${wanted.interval})`;
  const find = async () => (hasProduct ? (await prices.list({ lookup_keys: [key], limit: 1 })).data[0] : undefined);
  await about(label, async () => {
    const existing = await find();
    if (existing && isSame(existing, wanted)) {
      if (hasMetadata(existing, metadata)) return say(setUp, "unchanged", label);
      await change(setUp, "updated", label, () => prices.update(existing.id, { metadata }));
      return;
    }
    const create = async () => {
      await createOnce(
        newPrice(wanted),
        `after ${existing?.id ?? "none"}`,
        (price, options) => prices.create(price, options),
        async ({ id }) => (await find())?.id === id,
      );
      if (existing?.active) await prices.update(existing.id, { active: false });
    };
    if (!existing) await change(setUp, "created", label, create);
    else
      await change(setUp, "updated", `${label}, ${setUp.isDryRun ? "to archive" : "archived"} ${existing.id}`, create);
  });
}

const hasMetadata = ({ metadata }: Stripe.Product | Stripe.Price, wanted: Record<string, string>): boolean =>
  Object.entries(wanted).every(([name, value]) => metadata[name] === value);

const isSame = (price: Stripe.Price, { interval, amountMinor, currency, productId }: WantedPrice): boolean =>
  price.active &&
  price.unit_amount === amountMinor &&
  price.currency === currency &&
  price.product === productId &&
  price.tax_behavior === "inclusive" &&
  price.recurring?.interval === interval &&
  price.recurring.interval_count === 1;

const newPrice = ({ key, interval, amountMinor, currency, productId, metadata }: WantedPrice) => ({
  product: productId,
  currency,
  unit_amount: amountMinor,
  recurring: { interval },
  tax_behavior: "inclusive" as const,
  lookup_key: key,
  transfer_lookup_key: true,
  metadata,
});

const absent = (code: string) => (error: unknown) => {
  if (error instanceof Stripe.errors.StripeError && error.code === code) return null;
  throw error;
};
