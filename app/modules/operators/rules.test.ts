import { expect, test } from "vitest";
import type { Interval } from "#app/core/time/interval.ts";
import { lastMonths, monthlyRevenue } from "./rules.ts";

const plan = (interval: Interval, currency: string, amountMinor: number, count: number) => ({
  interval,
  currency,
  amountMinor,
  isTrial: false,
  count,
});

test("monthly revenue counts no trial", () => {
  const plans = [plan("month", "EUR", 600, 3), { ...plan("month", "EUR", 600, 2), isTrial: true }];
  expect(monthlyRevenue(plans)).toEqual([{ currency: "EUR", amountMinor: 1800 }]);
});

test("the last months begin at midnight of the seller, across a year and a change of the clock", () => {
  const months = lastMonths(Date.UTC(2026, 3, 15), "Europe/Berlin", 5);
  expect(months.map(({ name }) => name)).toEqual(["2025-12", "2026-01", "2026-02", "2026-03", "2026-04"]);
  expect(months.map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 16))).toEqual([
    "2025-11-30T23:00",
    "2025-12-31T23:00",
    "2026-01-31T23:00",
    "2026-02-28T23:00",
    "2026-03-31T22:00",
  ]);
  expect(lastMonths(Date.UTC(2025, 11, 31, 23, 30), "Europe/Berlin", 1)).toMatchObject([{ name: "2026-01" }]);
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
