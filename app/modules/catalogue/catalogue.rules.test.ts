import { describe, expect, test } from "vitest";
import { free, large, small } from "#tests/support/billing/catalogue.ts";
import { product } from "#app/product/config.ts";
import { formerFreePlans, limitsOf, planInForce, unstoredPlans, withStoredPlans } from "./catalogue.rules.ts";
import { namedPlan, planName, planNameMessages, whatIsSold } from "./plan-names.messages.ts";
import type { Plan, ProductConfig } from "./rules.ts";

const config: ProductConfig = { ...product, plans: [free, small, large] };
const without = (plan: Plan): ProductConfig => ({ ...config, plans: config.plans.filter(({ id }) => id !== plan.id) });
const stored = unstoredPlans(config, []).map((plan) => ({ ...plan, missingSince: null }));

describe("a plan that was removed from the config", () => {
  test("keeps its name, price, limits and position, and isn't sold", () => {
    const after = withStoredPlans(without(small), stored);
    expect(after.plans.map(({ id }) => id)).toEqual([free.id, small.id, large.id]);
    const { name, prices, limits } = small;
    expect(planInForce(after, small.id)).toMatchObject({ name, prices, limits, sold: false, isFormer: true });
  });

  test("has the highest value of each limit and no name if nothing is stored about it", () => {
    const nothing = { id: "lost", plan: null, missingSince: null };
    const broken = { id: "broken", plan: "{}", missingSince: null };
    const after = withStoredPlans(config, [nothing, broken]);
    const { unknown } = planNameMessages.en;
    for (const id of ["lost", "broken", "never-heard-of"]) {
      expect(planInForce(after, id).limits).toEqual(large.limits);
      expect([namedPlan(after, id).name, planName(after, id)]).toEqual([unknown, unknown]);
      expect(whatIsSold(after, id)).toBe(product.name);
    }
    expect(after.plans.at(-1)?.id).toBe("broken");
  });

  test("has the highest value of a limit that was added later", () => {
    const plans = without(small).plans.map((plan) => ({ ...plan, limits: { ...plan.limits, seatsOnTheMoon: 7 } }));
    const after = withStoredPlans({ ...config, plans }, stored);
    expect(planInForce(after, small.id).limits).toEqual({ ...small.limits, seatsOnTheMoon: 7 });
  });
});

test("a running plan's id is never mistaken for the plan without prices", () => {
  expect(planInForce(config, null)).toEqual(free);
  expect(planInForce(config, "never-heard-of").id).toBe("never-heard-of");
});

describe("a product without a free plan", () => {
  const paidOnly = without(free);

  test("has no plan in force without a subscription, and every limit is 0", () => {
    expect(planInForce(paidOnly, null)).toBeNull();
    expect(namedPlan(paidOnly, undefined)).toBeNull();
    expect(limitsOf(paidOnly, null)).toEqual(Object.fromEntries(Object.keys(large.limits).map((limit) => [limit, 0])));
  });

  test("has the subscribed plan in force, including a former one", () => {
    expect(planInForce(paidOnly, small.id)).toEqual(small);
    expect(limitsOf(paidOnly, small)).toEqual(small.limits);
    expect(planInForce(paidOnly, "never-heard-of").id).toBe("never-heard-of");
  });

  test("doesn't keep its previous free plan, which is only listed for removal", () => {
    const after = withStoredPlans(paidOnly, stored);
    expect(after.plans.map(({ id }) => id)).toEqual([small.id, large.id]);
    expect(planInForce(after, null)).toBeNull();
    expect(formerFreePlans(paidOnly, stored)).toEqual([free.id]);
    expect(formerFreePlans(config, stored)).toEqual([]);
    expect(formerFreePlans(without(small), stored)).toEqual([]);
  });

  test("that gains a free plan has it in force for all accounts immediately", () => {
    expect(planInForce({ ...paidOnly, plans: [free, ...paidOnly.plans] }, null)).toEqual(free);
  });
});

test("plans are stored once, and again when they change or return", () => {
  expect(stored.map(({ id }) => id)).toEqual([free.id, small.id, large.id]);
  expect(unstoredPlans(config, stored)).toEqual([]);
  const dearer = { ...config, plans: [free, { ...small, name: "Renamed" }, large] };
  expect(unstoredPlans(dearer, stored).map(({ id }) => id)).toEqual([small.id]);
  const missed = stored.map((plan) => (plan.id === large.id ? { ...plan, missingSince: 1 } : plan));
  expect(unstoredPlans(config, missed).map(({ id }) => id)).toEqual([large.id]);
});
