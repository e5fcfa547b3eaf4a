import { findPlan, type ProductConfig } from "#app/domain/product/rules.ts";

/** What is asked of the remote database: which plans have subscribers, or will have them with the next period. */
export const plansInUseQuery = [
  "select plan_id, count(*) as subscribers from (",
  "select plan_id from subscriptions where state not in ('ended', 'incomplete') union all",
  "select pending_plan_id from subscriptions where pending_plan_id is not null and state not in ('ended', 'incomplete')",
  ") group by plan_id order by plan_id",
].join(" ");

export type PlanInUse = { plan_id: string; subscribers: number };

/** A deployment takes no plan away from those who pay for it. */
export function droppedPlans(config: ProductConfig, inUse: readonly PlanInUse[]): string[] {
  return inUse
    .filter(({ plan_id: id }) => !findPlan(config, id)?.prices)
    .map(({ plan_id: id, subscribers }) => {
      const who = subscribers === 1 ? "1 subscriber" : `${subscribers} subscribers`;
      const state = findPlan(config, id) ? "has prices: null" : "is missing";
      return `Plan "${id}" has ${who} and ${state} in app/product.config.ts: keep it with its prices, and sold: false to retire it`;
    });
}
