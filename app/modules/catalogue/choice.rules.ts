/** Decides whether a plan can be chosen with an interval, and its price. Called where a plan is offered, bought and changed. */
import type { MoneyAmount } from "#app/core/money/money.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, isSold, type Plan, priceOf, type ProductConfig } from "./rules.ts";
import { type Gate, gateGuards } from "./gate.rules.ts";

export type ChoiceRefusal =
  | { reason: "plan-unknown" }
  | { reason: "plan-is-free" }
  /** Only its present subscribers keep it. */
  | { reason: "plan-retired" }
  | { reason: "interval-not-sold" }
  | { reason: "plan-behind-gate"; planId: string };

/** The gate doesn't apply to `ownPlanId`, a subscriber's own plan. */
export function checkChoice(
  { product, gate }: { product: ProductConfig; gate: Gate },
  { planId, interval }: { planId: string; interval: Interval },
  ownPlanId: string | null = null,
): Result<{ plan: Plan; price: MoneyAmount }, ChoiceRefusal> {
  const plan = findPlan(product, planId);
  if (!plan) return refused({ reason: "plan-unknown" });
  if (!plan.prices) return refused({ reason: "plan-is-free" });
  if (!isSold(plan)) return refused({ reason: "plan-retired" });
  const price = priceOf(product, plan, interval);
  if (!price) return refused({ reason: "interval-not-sold" });
  if (gateGuards(gate, planId) && planId !== ownPlanId) return refused({ reason: "plan-behind-gate", planId });
  return done({ plan, price });
}
