import { pointsLost } from "#app/modules/subscriptions/change.rules.ts";
import { type Plan, type ProductConfig, rankOf } from "#app/modules/catalogue/rules.ts";

/** What depends on the places of plans in the catalogue, in which a retired plan keeps its own. */
export function rankFacts(product: ProductConfig, current: Plan | null, chosen: Plan | null) {
  const rank = current ? rankOf(product, current.id) : -1;
  return {
    /** A change to one of these is the page's main action. */
    upward: product.plans.slice(Math.max(rank, 0)).map(({ id }) => id),
    // More of a plan says the same points with larger figures: nothing is lost.
    lost: chosen && current && rankOf(product, chosen.id) < rank ? pointsLost(current, chosen) : [],
  };
}
