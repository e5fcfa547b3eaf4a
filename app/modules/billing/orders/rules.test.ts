import { expect, test } from "vitest";
import { accountingYear, orderNumber } from "./rules.ts";

test("an order's number is counted within the year of the seller's calendar", () => {
  expect(orderNumber({ numberYear: 2026, numberInYear: 42 })).toBe("2026-000042");
  expect(orderNumber({ numberYear: null, numberInYear: null })).toBeNull();
  const newYear = Date.UTC(2026, 11, 31, 23, 30);
  expect(accountingYear(newYear, "Europe/Berlin")).toBe(2027);
  expect(accountingYear(newYear, "UTC")).toBe(2026);
});
