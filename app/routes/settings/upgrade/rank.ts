import { pointsLost } from "#app/modules/billing/subscriptions/change.rules.ts";
import { type Plan, type ProductConfig, rankOf } from "#app/modules/catalogue/rules.ts";

/** Compares plans by their position in the catalogue, where a retired plan keeps its own. */
export function rankFacts(product: ProductConfig, current: Plan | null, chosen: Plan | null) {
  const rank = current ? rankOf(product, current.id) : -1;
  return {
    /** A change to one of these plans is the page's primary action. */
    upward: product.plans.slice(Math.max(rank, 0)).map(({ id }) => id),
    // A larger plan lists the same points with larger numbers, so nothing is lost.
    lost: chosen && current && rankOf(product, chosen.id) < rank ? pointsLost(current, chosen) : [],
  };
}
