/**
 * Where users continue after signing up or in: with the plan they chose, else on the page they came from. Called from the routes of codes
 * and passkeys.
 */
import type { RequestId } from "#app/core/id.ts";
import { readPath } from "#app/core/text/path.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { findPlan, freePlan, intervalFor, isInterval, isSold, type ProductConfig } from "./rules.ts";

/**
 * The next page once the address is proven: the confirmation of the chosen plan, else the page the user came from; for a new account of a
 * product without a free plan, the choice of plans. If a form waited for the proof, its request is named in the URL, to fill in the
 * fields again.
 */
export function afterProof(
  config: ProductConfig,
  carried: { planId?: string; interval?: string; redirectTo?: string; typed?: object },
  { requestId, isNew }: { requestId?: RequestId; isNew: boolean },
): string {
  const plan = findPlan(config, carried.planId);
  if (plan && isSold(plan)) {
    const interval = intervalFor(plan, isInterval(carried.interval) ? carried.interval : "month");
    return `${pagePaths.upgrade}?plan=${plan.id}&interval=${interval}`;
  }
  // Without a free plan a new account can't use anything yet.
  const start = isNew && !freePlan(config) ? pagePaths.upgrade : pagePaths.overview;
  const path = readPath(carried.redirectTo) ?? start;
  if (!carried.typed || !requestId) return path;
  const [page, place] = path.split("#");
  return `${page}?continue=${requestId}${place ? `#${place}` : ""}`;
}
