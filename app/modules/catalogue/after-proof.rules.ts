/** Where somebody continues after signing up or in: to the plan they chose, else to the page they came from. Called by the routes of codes and passkeys. */
import { readPath } from "#app/core/text/path.ts";
import { findPlan, freePlan, intervalFor, isInterval, isSold, type ProductConfig } from "./rules.ts";

/**
 * Where a journey goes on once the address is proven: to the confirmation of the chosen plan, else where it came from; a new account of a
 * product without a free plan to the choice of one. A form that waited for the proof is named there by the request that carried it.
 */
export function afterProof(
  config: ProductConfig,
  carried: { planId?: string; interval?: string; redirectTo?: string; typed?: object },
  { requestId, isNew }: { requestId?: string; isNew: boolean },
): string {
  const plan = findPlan(config, carried.planId);
  if (plan && isSold(plan)) {
    const interval = intervalFor(plan, isInterval(carried.interval) ? carried.interval : "month");
    return `/settings/upgrade?plan=${plan.id}&interval=${interval}`;
  }
  // Without a free plan a new account has nothing to use so far.
  const start = isNew && !freePlan(config) ? "/settings/upgrade" : "/settings";
  const path = readPath(carried.redirectTo) ?? start;
  if (!carried.typed || !requestId) return path;
  const [page, place] = path.split("#");
  return `${page}?continue=${requestId}${place ? `#${place}` : ""}`;
}
