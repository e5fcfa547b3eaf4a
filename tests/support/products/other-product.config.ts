import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product as fixed } from "./fixed-product.config.ts";

/**
 * The product that tests run on, with what the sample doesn't choose: no free plan, plans that pause while a payment is disputed, and no page
 * to cancel without signing in. For `npm start` and the gallery: docs/guides/testing.md says how. Tests take the free plan out of the built
 * Worker instead (`useSite({ freePlan: "none" })`).
 */
const { freeHint: _unused, ...paid } = fixed;
export const product = {
  ...paid,
  plans: fixed.plans.filter(({ prices }) => prices !== null),
  duringDispute: "pause",
  cancellationPage: "off",
} satisfies ProductConfig;
