/** The prices that pages show, to be compared with what Stripe would charge. Called before anybody is charged, and by the health report. */
import type { Interval } from "#app/core/time/interval.ts";
import { intervalsOf, isSold, priceKey, priceMinorOf, type ProductConfig } from "./rules.ts";

/** Zero for a plan that the config doesn't have: Stripe has no such price. */
export function shownPrice(config: ProductConfig, planId: string, interval: Interval) {
  const amountMinor = priceMinorOf(config, planId, interval);
  return { planId, key: priceKey(planId, interval), amountMinor, currency: config.currency, interval };
}

/** Every price that is sold. */
export function shownPrices(config: ProductConfig) {
  return config.plans
    .filter(isSold)
    .flatMap((plan) => intervalsOf(plan).map((interval) => shownPrice(config, plan.id, interval)));
}
