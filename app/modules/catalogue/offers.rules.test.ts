import { expect, test } from "vitest";
import { monthsLess } from "./offers.rules.ts";

/** A free plan, and paid ones with these prices in euros. */
function plansOf(...paid: [month: number, year: number][]) {
  const prices = paid.map(([month, year]) => ({
    month: { amountMinor: month * 100 },
    year: { amountMinor: year * 100 },
  }));
  const rest = { name: "A plan", tagline: "", limits: { devices: 1 }, points: [] };
  return { plans: [null, ...prices].map((price, place) => ({ ...rest, id: `plan-${place}`, prices: price })) };
}

test.each([
  ["two months less", plansOf([6, 60], [15, 150]), 2],
  ["nothing where one plan saves more than the other", plansOf([6, 60], [15, 165]), 0],
  ["nothing where it is no whole month", plansOf([6, 63], [15, 157.5]), 0],
  ["nothing where a year costs twelve months, or more", plansOf([6, 72], [15, 180]), 0],
  ["nothing where all is free", plansOf(), 0],
])("the yearly prices are advertised as %s", (_what, plans, months) => {
  expect(monthsLess(plans)).toBe(months);
});
