import { expect, test } from "vitest";
import { type Latest, latestMax, spendingByMonth, spendingMonths } from "./spending.rules.ts";

const paid = (on: string, amountMinor: number, other: Partial<Latest> = {}): Latest => ({
  createdAt: Date.parse(on),
  paidAt: Date.parse(on),
  currency: "EUR",
  amountMinor,
  refundedMinor: 0,
  dispute: "none",
  ...other,
});
const reading = { timeZone: "UTC", currency: "EUR", now: Date.parse("2026-03-15T12:00Z") };
const amounts = (latest: Latest[], timeZone = "UTC") =>
  spendingByMonth(latest, { ...reading, timeZone }).map(({ amountMinor }) => amountMinor);

test("twelve months up to this one, oldest first, over the turn of a year", () => {
  const months = spendingByMonth([paid("2026-03-01T10:00Z", 700), paid("2025-12-31T10:00Z", 600)], reading);
  expect(months).toHaveLength(spendingMonths);
  expect(months[0]).toEqual({ year: 2025, month: 4, amountMinor: 0 });
  expect(months.slice(-4)).toEqual([
    { year: 2025, month: 12, amountMinor: 600 },
    { year: 2026, month: 1, amountMinor: 0 },
    { year: 2026, month: 2, amountMinor: 0 },
    { year: 2026, month: 3, amountMinor: 700 },
  ]);
});

test("payments of a month add up, less what went back; what never was paid, a bank took back or another currency doesn't", () => {
  const latest = [
    paid("2026-03-04T10:00Z", 9000, { paidAt: null }),
    paid("2026-03-03T10:00Z", 9000, { dispute: "lost" }),
    paid("2026-03-03T09:00Z", 9000, { currency: "JPY" }),
    paid("2026-03-02T10:00Z", 1500, { refundedMinor: 400 }),
    paid("2026-03-01T10:00Z", 600),
    paid("2026-02-01T10:00Z", 5),
  ];
  expect(amounts(latest).slice(-2)).toEqual([5, 1700]);
});

test("a month ends with midnight on the calendar that counts", () => {
  const latest = [paid("2026-02-28T23:30Z", 600), paid("2026-02-10T10:00Z", 1)];
  expect(amounts(latest, "Europe/Berlin").slice(-2)).toEqual([1, 600]);
  expect(amounts(latest, "America/New_York")).toEqual([]);
});

test("what is older, one month alone, and what all went back are no picture", () => {
  expect(amounts([paid("2026-01-01T10:00Z", 600), paid("2025-03-31T10:00Z", 600)])).toEqual([]);
  expect(amounts([paid("2026-02-01T10:00Z", 600, { refundedMinor: 600 }), paid("2026-01-01T10:00Z", 600)])).toEqual([]);
  expect(amounts([])).toEqual([]);
});

test("a month of which not every order was read is left out, with all before it", () => {
  const before = [paid("2026-02-20T10:00Z", 7), paid("2026-01-20T10:00Z", 3)];
  const busy = (count: number) => [...Array.from({ length: count }, () => paid("2026-03-10T10:00Z", 100)), ...before];
  expect(amounts(busy(latestMax - 3))).toHaveLength(spendingMonths);
  expect(amounts(busy(latestMax - 2))).toEqual([7, 100 * (latestMax - 2)]);
});
