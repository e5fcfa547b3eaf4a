import { expect, test } from "vitest";
import { endOfPeriod } from "./periods.rules.ts";

test.each([
  ["2026-11-23T10:00:00Z", "month", "2026-12-23T10:00:00Z"],
  ["2026-01-31T10:00:00Z", "month", "2026-02-28T10:00:00Z"],
  ["2026-12-31T23:59:59Z", "month", "2027-01-31T23:59:59Z"],
  ["2024-02-29T10:00:00Z", "year", "2025-02-28T10:00:00Z"],
  ["2026-11-23T10:00:00Z", "year", "2027-11-23T10:00:00Z"],
] as const)("a period that starts at %s, by the %s, ends at %s", (start, interval, end) => {
  expect(endOfPeriod(Date.parse(start), interval)).toBe(Date.parse(end));
});
