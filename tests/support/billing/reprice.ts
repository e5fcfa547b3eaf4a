import type Stripe from "stripe";
import { priceKey } from "#app/modules/catalogue/rules.ts";
import type { Interval } from "#app/core/time/interval.ts";

/** At Stripe alone: another price takes over a plan's lookup key, and the one before is archived, as `npm run stripe:setup` does it. */
export async function reprice(
  stripe: Stripe,
  { planId, interval = "month" }: { planId: string; interval?: Interval },
  changed: Partial<Stripe.PriceCreateParams>,
): Promise<Stripe.Price> {
  const lookup_key = priceKey(planId, interval);
  const [before] = (await stripe.prices.list({ lookup_keys: [lookup_key] })).data;
  if (!before) throw new Error(`There is no price ${lookup_key}`);
  const { product, currency, unit_amount, metadata } = before;
  const after = await stripe.prices.create({
    product: String(product),
    currency,
    unit_amount: unit_amount ?? 0,
    recurring: { interval },
    tax_behavior: "inclusive",
    lookup_key,
    transfer_lookup_key: true,
    metadata,
    ...changed,
  });
  await stripe.prices.update(before.id, { active: false });
  return after;
}
