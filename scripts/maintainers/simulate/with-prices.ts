import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { NewPrices } from "./story.ts";

/** The config with other prices for some of its plans. */
export function withPrices(product: ProductConfig, prices: NewPrices): ProductConfig {
  return {
    ...product,
    plans: product.plans.map((plan) => {
      const { month, year } = prices[plan.id] ?? {};
      if (plan.prices === null) return plan;
      return {
        ...plan,
        prices: {
          ...plan.prices,
          ...(month !== undefined && { month: { ...plan.prices.month, amountMinor: month } }),
          ...(year !== undefined && { year: { ...plan.prices.year, amountMinor: year } }),
        },
      };
    }),
  };
}
