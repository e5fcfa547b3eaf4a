/**
 * Which plans there are: those of the config, and those that it had before and somebody may still have. A running subscription always has
 * a plan with limits and is never taken for one without. Called when a Worker starts, and wherever somebody's plan is named.
 */
import * as v from "valibot";
import { findPlan, freePlan, monthlyPrice, type Plan, type ProductConfig } from "./rules.ts";

/** A plan as the table has it; without content where it was sold before plans were stored. */
export type StoredPlan = { id: string; plan: string | null; missingSince: number | null };

const price = v.optional(v.object({ amountMinor: v.number() }));
const content = v.object({
  name: v.string(),
  tagline: v.string(),
  prices: v.object({ month: price, year: price }),
  limits: v.record(v.string(), v.number()),
  points: v.array(v.string()),
});

/** What is stored of a paid plan; null for one without prices, which nobody subscribes to. */
function planContent({ name, tagline, prices, limits, points }: Plan): string | null {
  return prices && JSON.stringify({ name, tagline, prices, limits, points });
}

/** The config's paid plans that are stored in another way, or not at all. */
export function unstoredPlans(config: ProductConfig, stored: readonly StoredPlan[]): { id: string; plan: string }[] {
  return config.plans.flatMap((each) => {
    const plan = planContent(each);
    const found = stored.find(({ id }) => id === each.id);
    return plan === null || (found?.plan === plan && found.missingSince === null) ? [] : [{ id: each.id, plan }];
  });
}

/** The config with the plans that it lacks, retired, each in its place by price. */
export function withStoredPlans(config: ProductConfig, stored: readonly StoredPlan[]): ProductConfig {
  const missing = stored.filter(({ id }) => !findPlan(config, id)).map((each) => readStored(config, each));
  if (missing.length === 0) return config;
  const [nameless, named] = [missing.filter(({ name }) => name === ""), missing.filter(({ name }) => name !== "")];
  const plans = [...config.plans, ...named].toSorted((one, other) => monthlyPrice(one) - monthlyPrice(other));
  // Changing away from a plan of which nothing is known never costs more than the plan that is chosen.
  return { ...config, plans: [...plans, ...nameless] };
}

function readStored(config: ProductConfig, { id, plan }: StoredPlan): Plan {
  const read = plan === null ? null : v.safeParse(v.pipe(v.string(), v.parseJson(), content), plan);
  if (!read?.success) return unknownPlan(config, id);
  const { prices, limits } = read.output;
  return { ...read.output, id, prices, limits: { ...mostOfEach(config), ...limits }, sold: false, isFormer: true };
}

/** Nothing is known of it but that somebody pays for it: no limit is below what any plan has. */
function unknownPlan(config: ProductConfig, id: string): Plan {
  return { id, name: "", tagline: "", prices: {}, limits: mostOfEach(config), points: [], sold: false, isFormer: true };
}

export function mostOfEach({ plans }: ProductConfig): Plan["limits"] {
  const most: Record<string, number> = {};
  for (const { limits } of plans) {
    for (const [limit, value] of Object.entries(limits)) most[limit] = Math.max(most[limit] ?? 0, value);
  }
  return { devices: 0, ...most };
}

/** The plan in force for the plan id of a running subscription; without one, the plan that costs nothing. */
export function planInForce(config: ProductConfig, planId: string | null | undefined): Plan {
  if (planId == null) return freePlan(config);
  return findPlan(config, planId) ?? unknownPlan(config, planId);
}
