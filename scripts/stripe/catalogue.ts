import type { Interval } from "#app/core/time/interval.ts";
import Stripe from "stripe";
import { intervalsOf, isSold, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { about, change, createOnce, say, type SetUp } from "./changes.ts";

type Wanted = { plan: string; interval: Interval; amountMinor: number; currency: string; productId: string };

/** One product per paid plan, one price per plan and interval. */
export async function setUpCatalogue(setUp: SetUp, { name, plans, currency }: ProductConfig): Promise<void> {
  for (const plan of plans) {
    // A retired plan's product and prices stay as they are: its subscribers continue to renew at them.
    if (!isSold(plan) || plan.prices === null) continue;
    const productId = `foyer_${plan.id}`;
    const isThere = await setUpProduct(setUp, productId, plan.id, `${name} ${plan.name}`);
    for (const interval of intervalsOf(plan)) {
      const price = plan.prices[interval];
      if (!price) continue;
      const wanted = { plan: plan.id, interval, ...price, currency: currency.toLowerCase(), productId };
      await setUpPrice(setUp, wanted, isThere);
    }
  }
}

/** False when there is none and this is a dry run. */
function setUpProduct(setUp: SetUp, id: string, plan: string, name: string): Promise<boolean> {
  const { products } = setUp.stripe;
  const label = `product ${id} (${name})`;
  return about(label, async () => {
    const existing = await products.retrieve(id).catch(absent("resource_missing"));
    if (existing === null) {
      // A concurrent run may have created it first: then it exists.
      const create = () => products.create({ id, name, metadata: { plan } }).catch(absent("resource_already_exists"));
      await change(setUp, "created", label, create);
      return !setUp.isDryRun;
    }
    if (existing.name === name && existing.active && existing.metadata.plan === plan) say(setUp, "unchanged", label);
    else await change(setUp, "updated", label, () => products.update(id, { name, active: true, metadata: { plan } }));
    return true;
  });
}

/**
 * A price's amount can't change: a new one takes over the lookup key, by which the site finds it, and the old one is archived.
 * Its subscribers continue to pay it.
 */
async function setUpPrice(setUp: SetUp, wanted: Wanted, hasProduct: boolean): Promise<void> {
  const { prices } = setUp.stripe;
  const key = `${wanted.plan}_${wanted.interval}`;
  const label = `price ${key} (${wanted.amountMinor} ${wanted.currency} minor units per ${wanted.interval})`;
  const find = async () => (hasProduct ? (await prices.list({ lookup_keys: [key], limit: 1 })).data[0] : undefined);
  await about(label, async () => {
    const existing = await find();
    if (existing && isSame(existing, wanted)) return say(setUp, "unchanged", label);
    const create = async () => {
      await createOnce(
        newPrice(wanted, key),
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

const isSame = (price: Stripe.Price, { interval, amountMinor, currency, productId }: Wanted): boolean =>
  price.active &&
  price.unit_amount === amountMinor &&
  price.currency === currency &&
  price.product === productId &&
  price.tax_behavior === "inclusive" &&
  price.recurring?.interval === interval &&
  price.recurring.interval_count === 1;

const newPrice = ({ plan, interval, amountMinor, currency, productId }: Wanted, key: string) => ({
  product: productId,
  currency,
  unit_amount: amountMinor,
  recurring: { interval },
  tax_behavior: "inclusive" as const,
  lookup_key: key,
  transfer_lookup_key: true,
  metadata: { plan, interval },
});

const absent = (code: string) => (error: unknown) => {
  if (error instanceof Stripe.errors.StripeError && error.code === code) return null;
  throw error;
};
