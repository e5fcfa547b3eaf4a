import { describe, expect, test } from "vitest";
import { budgets } from "#tests/support/site/budgets.ts";
import { fontWeight, pageWeights, workerWeight } from "#tests/support/site/weights.ts";

/** The build stays within the limits of tests/support/site/budgets.ts, for any routes. */
describe("the build", () => {
  const weights = pageWeights();

  test("is measured completely: pages inside the settings and outside", () => {
    const paths = weights.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/", "/login", "/settings", "/settings/orders"]));
    for (const { scripts, styles } of weights) expect([scripts > 50_000, styles > 1_000]).toEqual([true, true]);
  });

  test("keeps the scripts of every page within their size limit", () => {
    expect(weights.filter(({ scripts }) => scripts >= budgets.scripts)).toEqual([]);
  });

  test("keeps the styles of every page within their size limit", () => {
    expect(weights.filter(({ styles }) => styles >= budgets.styles)).toEqual([]);
  });

  test("keeps the Worker and the fonts within their size limits", () => {
    expect(workerWeight()).toBeGreaterThan(100_000);
    expect(workerWeight()).toBeLessThan(budgets.worker);
    expect(fontWeight()).toBeGreaterThan(10_000);
    expect(fontWeight()).toBeLessThan(budgets.fonts);
  });
});
