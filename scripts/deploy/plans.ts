import { keepingStates } from "#app/modules/billing/subscriptions/rules.ts";
import { findPlan, freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";

const keepsPlan = `state in (${keepingStates.map((state) => `'${state}'`).join(", ")})`;

/** Queries of the remote database: which plans have subscribers, or will have them with the next period. */
export const plansInUseQuery = [
  "select plan_id, count(*) as subscribers from (",
  `select plan_id from subscriptions where ${keepsPlan} union all`,
  `select pending_plan_id from subscriptions where pending_plan_id is not null and ${keepsPlan}`,
  ") group by plan_id order by plan_id",
].join(" ");

export type PlanInUse = { plan_id: string; subscribers: number };

/** A deployment must not remove a plan with paying subscribers. */
export function droppedPlans(config: ProductConfig, inUse: readonly PlanInUse[]): string[] {
  return inUse
    .filter(({ plan_id: id }) => !findPlan(config, id)?.prices)
    .map(({ plan_id: id, subscribers }) => {
      const who = subscribers === 1 ? "1 subscriber" : `${subscribers} subscribers`;
      const state = findPlan(config, id) ? "has prices: null" : "is missing";
      return `Plan "${id}" has ${who} and ${state} in app/product/config.ts: keep it with its prices, and sold: false to retire it`;
    });
}

/** Queried if the config has no free plan: who has devices on the deployed Worker's free plan. */
export const onFreePlanQuery = [
  "select p.plan_id, count(*) as accounts from sold_plans p, accounts a",
  "where json_type(p.plan, '$.prices') = 'null' and a.state = 'active'",
  "and exists (select 1 from devices d where d.account_id = a.id and d.state = 'active')",
  `and not exists (select 1 from subscriptions s where s.account_id = a.id and s.${keepsPlan})`,
  "group by p.plan_id",
].join(" ");

export type OnFreePlan = { plan_id: string; accounts: number };

/** A deployment must not end a customer's access as a side effect. */
export function droppedFreePlan(config: ProductConfig, onFreePlan: readonly OnFreePlan[]): string[] {
  if (freePlan(config)) return [];
  return onFreePlan.map(({ plan_id: id, accounts }) => {
    const who = accounts === 1 ? "1 account uses the product" : `${accounts} accounts use the product`;
    return `${who} on the free plan "${id}", which app/product/config.ts no longer has: deploying ends their access. Keep the plan, or say -- --drop-free-plan`;
  });
}
