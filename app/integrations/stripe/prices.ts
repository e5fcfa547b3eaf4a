import type { PriceId } from "#app/core/stripe/ids.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type Stripe from "stripe";
import { PriceDiffersError } from "#app/integrations/stripe/call-stripe.ts";
import { idOf } from "#app/integrations/stripe/fields.ts";

/** A plan's price as the pages show it, and the lookup key by which it is found at Stripe. */
export type ShownPrice = { key: string; amountMinor: number; currency: string; interval: Interval };

/** The price at Stripe that charges what the pages show. Throws if there is none: nobody is charged another one. */
export async function findPrice(stripe: Stripe, shown: ShownPrice, options: Stripe.RequestOptions): Promise<PriceId> {
  const { data } = await stripe.prices.list({ lookup_keys: [shown.key], active: true, limit: 1 }, options);
  const [price] = data;
  const difference = differenceFrom(shown, price);
  if (!price || difference !== null) throw new PriceDiffersError(difference ?? missing(shown));
  return idOf(price);
}

/** Prices per call, Stripe's own limit. */
const lookupKeysMax = 10;

/** One sentence for each price that Stripe lacks or has otherwise. */
export async function differences(
  stripe: Stripe,
  shown: readonly ShownPrice[],
  within: () => Stripe.RequestOptions = () => ({}),
): Promise<string[]> {
  const groups = Array.from({ length: Math.ceil(shown.length / lookupKeysMax) }, (_, group) =>
    shown.slice(group * lookupKeysMax, (group + 1) * lookupKeysMax).map(({ key }) => key),
  );
  const lists = await Promise.all(
    groups.map((lookup_keys) => stripe.prices.list({ lookup_keys, active: true, limit: lookupKeysMax }, within())),
  );
  const prices = new Map(lists.flatMap(({ data }) => data.map((price) => [price.lookup_key, price] as const)));
  return shown.flatMap((each) => differenceFrom(each, prices.get(each.key)) ?? []);
}

/** What is different about Stripe's price, in one sentence, or null if it charges what the pages show. */
export function differenceFrom(shown: ShownPrice, price: Stripe.Price | undefined): string | null {
  if (!price?.active) return missing(shown);
  const { unit_amount: amount, currency, recurring, tax_behavior: tax } = price;
  const isSame =
    amount === shown.amountMinor &&
    currency === shown.currency.toLowerCase() &&
    recurring?.interval === shown.interval &&
    recurring.interval_count === 1;
  const wanted = spell(shown.amountMinor, shown.currency, 1, shown.interval);
  if (!isSame) {
    const found = spell(amount, currency, recurring?.interval_count ?? 1, recurring?.interval ?? "single payment");
    return `${shown.key} is ${found} at Stripe and ${wanted} in the config`;
  }
  // Tax would come on top of the amount that is shown; unspecified, that depends on a setting of Stripe Tax.
  return tax === "inclusive" ? null : `${shown.key} doesn't include tax at Stripe, and ${wanted} in the config does`;
}

function missing({ key, amountMinor, currency, interval }: ShownPrice): string {
  return `${key} (${spell(amountMinor, currency, 1, interval)}) is missing at Stripe`;
}

function spell(amountMinor: number | null, currency: string, count: number, interval: string): string {
  const every = count === 1 ? interval : `${count} ${interval}s`;
  return `${amountMinor ?? "no fixed amount"} ${currency.toUpperCase()} per ${every}`;
}
