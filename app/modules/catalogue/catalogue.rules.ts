/**
 * Decides which plans exist: those of the config, and former ones that may still have subscribers. Invariant: a running subscription
 * always has a plan with limits. Called when a Worker starts, and wherever a subscriber's plan is named.
 */
import * as v from "valibot";
import { findPlan, freePlan, monthlyPrice, type Plan, type ProductConfig } from "./rules.ts";

/** A plan as the table stores it. `plan` is null if it was sold before plans were stored. */
type StoredPlan = { id: string; plan: string | null; missingSince: number | null };

const price = v.optional(v.object({ amountMinor: v.number() }));
const content = v.object({
  name: v.string(),
  tagline: v.string(),
  prices: v.nullable(v.object({ month: price, year: price })),
  limits: v.record(v.string(), v.number()),
  points: v.array(v.string()),
});

function planContent({ name, tagline, prices, limits, points }: Plan): string {
  return JSON.stringify({ name, tagline, prices, limits, points });
}

/** The config's plans that are stored differently or not at all. */
export function unstoredPlans(config: ProductConfig, stored: readonly StoredPlan[]): { id: string; plan: string }[] {
  return config.plans.flatMap((each) => {
    const plan = planContent(each);
    const found = stored.find(({ id }) => id === each.id);
    return found?.plan === plan && found.missingSince === null ? [] : [{ id: each.id, plan }];
  });
}

/**
 * Free plans that the config no longer has. Free plans have no subscribers, so none stays in force: the row only lets the deployment ask
 * who would lose access, and is removed once a Worker runs without the plan.
 */
export function formerFreePlans(config: ProductConfig, stored: readonly StoredPlan[]): string[] {
  return stored.filter((each) => !findPlan(config, each.id) && isStoredFree(each)).map(({ id }) => id);
}

function isStoredFree(stored: StoredPlan): boolean {
  return readContent(stored)?.prices === null;
}

/** The config plus the former plans it lacks, as retired, in order of price. */
export function withStoredPlans(config: ProductConfig, stored: readonly StoredPlan[]): ProductConfig {
  const missing = stored
    .filter((each) => !findPlan(config, each.id) && !isStoredFree(each))
    .map((each) => readStored(config, each));
  if (missing.length === 0) return config;
  const [nameless, named] = [missing.filter(({ name }) => name === ""), missing.filter(({ name }) => name !== "")];
  const plans = [...config.plans, ...named].toSorted((one, other) => monthlyPrice(one) - monthlyPrice(other));
  // A plan of which nothing is known comes last, so that changing away from it counts as a downgrade and is never prorated.
  return { ...config, plans: [...plans, ...nameless] };
}

function readContent({ plan }: StoredPlan) {
  const read = plan === null ? null : v.safeParse(v.pipe(v.string(), v.parseJson(), content), plan);
  return read?.success ? read.output : null;
}

function readStored(config: ProductConfig, stored: StoredPlan): Plan {
  const { id } = stored;
  const read = readContent(stored);
  if (!read) return unknownPlan(config, id);
  return { ...read, id, limits: { ...mostOfEach(config), ...read.limits }, sold: false, isFormer: true };
}

/** Nothing is known of the plan but that it has subscribers, so each limit is the highest of any plan. */
function unknownPlan(config: ProductConfig, id: string): Plan {
  return { id, name: "", tagline: "", prices: {}, limits: mostOfEach(config), points: [], sold: false, isFormer: true };
}

export function mostOfEach({ plans }: ProductConfig): Plan["limits"] {
  const most: Record<string, number> = {};
  for (const { limits } of plans) {
    for (const [limit, value] of Object.entries(limits)) most[limit] = Math.max(most[limit] ?? 0, value);
  }
  return most;
}

/**
 * The plan in force for a running subscription's plan id, or the free plan without a subscription. Null if there is neither, since the
 * product has no free plan.
 */
export function planInForce(config: ProductConfig, planId: string): Plan;
export function planInForce(config: ProductConfig, planId: string | null | undefined): Plan | null;
export function planInForce(config: ProductConfig, planId: string | null | undefined): Plan | null {
  if (planId == null) return freePlan(config);
  return findPlan(config, planId) ?? unknownPlan(config, planId);
}

/** What a plan allows; without a plan every limit is 0. */
export function limitsOf(config: ProductConfig, plan: Pick<Plan, "limits"> | null): Plan["limits"] {
  if (plan) return plan.limits;
  return Object.fromEntries(Object.keys(mostOfEach(config)).map((limit) => [limit, 0]));
}
