import { describe, expect, test } from "vitest";
import { budgets } from "#tests/support/site/budgets.ts";
import { fontWeight, pageWeights, workerWeight } from "#tests/support/site/weights.ts";

/** The build stays within tests/support/site/budgets.ts, whatever routes there are. */
describe("the build", () => {
  const weights = pageWeights();

  test("is measured as a whole: pages within the settings and without", () => {
    const paths = weights.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/", "/login", "/settings", "/settings/orders"]));
    for (const { scripts, styles } of weights) expect([scripts > 50_000, styles > 1_000]).toEqual([true, true]);
  });

  test("has no page whose scripts are heavier than its budget", () => {
    expect(weights.filter(({ scripts }) => scripts >= budgets.scripts)).toEqual([]);
  });

  test("has no page whose styles are heavier than their budget", () => {
    expect(weights.filter(({ styles }) => styles >= budgets.styles)).toEqual([]);
  });

  test("has a Worker and fonts within theirs", () => {
    expect(workerWeight()).toBeGreaterThan(100_000);
    expect(workerWeight()).toBeLessThan(budgets.worker);
    expect(fontWeight()).toBeGreaterThan(10_000);
    expect(fontWeight()).toBeLessThan(budgets.fonts);
  });
});
