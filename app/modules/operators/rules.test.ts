import { expect, test } from "vitest";
import type { Interval } from "#app/core/time/interval.ts";
import { monthlyRevenue } from "./rules.ts";

const plan = (interval: Interval, currency: string, amountMinor: number, count: number) => ({
  interval,
  currency,
  amountMinor,
  count,
});

test("monthly revenue counts a twelfth of a yearly plan, and is rounded once", () => {
  const plans = [plan("month", "EUR", 600, 3), plan("year", "EUR", 6001, 2), plan("year", "EUR", 4, 1)];
  expect(monthlyRevenue(plans)).toEqual([{ currency: "EUR", amountMinor: 2801 }]);
  expect(monthlyRevenue([])).toEqual([]);
});

test("monthly revenue is separate per currency: plans sold in an old one are listed beside the new one", () => {
  const plans = [plan("month", "EUR", 600, 3), plan("month", "SEK", 6900, 2), plan("year", "EUR", 1200, 1)];
  expect(monthlyRevenue(plans)).toEqual([
    { currency: "EUR", amountMinor: 1900 },
    { currency: "SEK", amountMinor: 13800 },
  ]);
});
