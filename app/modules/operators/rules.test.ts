import { expect, test } from "vitest";
import type { Interval } from "#app/core/time/interval.ts";
import { monthlyRevenue } from "./rules.ts";

const plan = (interval: Interval, currency: string, amountMinor: number, count: number) => ({
  interval,
  currency,
  amountMinor,
  count,
});

test("a month's revenue takes a twelfth of a year's plan, and is rounded once", () => {
  const plans = [plan("month", "EUR", 600, 3), plan("year", "EUR", 6001, 2), plan("year", "EUR", 4, 1)];
  expect(monthlyRevenue(plans)).toEqual([{ currency: "EUR", amountMinor: 2801 }]);
  expect(monthlyRevenue([])).toEqual([]);
});

test("a month's revenue adds up no two currencies: plans sold in an old one go on beside the new one's", () => {
  const plans = [plan("month", "EUR", 600, 3), plan("month", "SEK", 6900, 2), plan("year", "EUR", 1200, 1)];
  expect(monthlyRevenue(plans)).toEqual([
    { currency: "EUR", amountMinor: 1900 },
    { currency: "SEK", amountMinor: 13800 },
  ]);
});
