import { expect, test } from "vitest";
import { type RecentOrder, recentOrdersMax, spendingByMonth, spendingMonths } from "./spending.rules.ts";

const paid = (on: string, amountMinor: number, other: Partial<RecentOrder> = {}): RecentOrder => ({
  createdAt: Date.parse(on),
  paidAt: Date.parse(on),
  currency: "EUR",
  amountMinor,
  refundedMinor: 0,
  lostMinor: 0,
  ...other,
});
const reading = { timeZone: "UTC", currency: "EUR", now: Date.parse("2026-03-15T12:00Z") };
const amounts = (latest: RecentOrder[], timeZone = "UTC") =>
  spendingByMonth(latest, { ...reading, timeZone }).map(({ amountMinor }) => amountMinor);

test("the chart covers the last twelve months, oldest first, across the end of a year", () => {
  const latest = [paid("2026-03-01T10:00Z", 700), paid("2026-01-01T10:00Z", 100), paid("2025-12-31T10:00Z", 600)];
  const months = spendingByMonth(latest, reading);
  expect(months).toHaveLength(spendingMonths);
  expect(months[0]).toEqual({ year: 2025, month: 4, amountMinor: 0 });
  expect(months.slice(-4)).toEqual([
    { year: 2025, month: 12, amountMinor: 600 },
    { year: 2026, month: 1, amountMinor: 100 },
    { year: 2026, month: 2, amountMinor: 0 },
    { year: 2026, month: 3, amountMinor: 700 },
  ]);
});

test("payments of a month are added up less what went back; unpaid, charged back and foreign-currency orders don't count", () => {
  const latest = [
    paid("2026-03-04T10:00Z", 9000, { paidAt: null }),
    paid("2026-03-03T10:00Z", 9000, { lostMinor: 9000 }),
    paid("2026-03-03T09:00Z", 9000, { currency: "JPY" }),
    paid("2026-03-02T10:00Z", 1500, { refundedMinor: 400 }),
    paid("2026-03-01T10:00Z", 700, { lostMinor: 100 }),
    paid("2026-02-01T10:00Z", 5),
    paid("2026-01-01T10:00Z", 6),
  ];
  expect(amounts(latest).slice(-3)).toEqual([6, 5, 1700]);
});

test("a month ends at midnight of the seller's calendar", () => {
  const latest = [paid("2026-02-28T23:30Z", 600), paid("2026-02-10T10:00Z", 1), paid("2026-01-10T10:00Z", 2)];
  expect(amounts(latest, "Europe/Berlin").slice(-3)).toEqual([2, 1, 600]);
  expect(amounts(latest, "America/New_York")).toEqual([]);
});

test("no chart is shown for older payments, for two months alone, or if everything was refunded", () => {
  expect(amounts([paid("2026-01-01T10:00Z", 600), paid("2025-03-31T10:00Z", 600)])).toEqual([]);
  expect(amounts([paid("2026-02-01T10:00Z", 600, { refundedMinor: 600 }), paid("2026-01-01T10:00Z", 600)])).toEqual([]);
  expect(amounts([paid("2026-02-01T10:00Z", 600), paid("2026-01-01T10:00Z", 6000)])).toEqual([]);
  expect(amounts([])).toEqual([]);
});

test("no chart is shown for a constant price, until one month differs by a fifth", () => {
  const months = (...amountsMinor: number[]) =>
    amounts(amountsMinor.map((amountMinor, nth) => paid(`2026-0${3 - nth}-01T10:00Z`, amountMinor)));
  expect(months(600, 600, 600)).toEqual([]);
  expect(months(600, 590, 490)).toEqual([]);
  expect(months(600, 590, 480).slice(-3)).toEqual([480, 590, 600]);
});

test("a month that wasn't read completely is left out, with all earlier ones", () => {
  const before = [paid("2026-02-20T10:00Z", 7), paid("2026-01-20T10:00Z", 3), paid("2025-12-20T10:00Z", 2)];
  const busy = (count: number) => [...Array.from({ length: count }, () => paid("2026-03-10T10:00Z", 100)), ...before];
  expect(amounts(busy(recentOrdersMax - 4))).toHaveLength(spendingMonths);
  expect(amounts(busy(recentOrdersMax - 3))).toEqual([3, 7, 100 * (recentOrdersMax - 3)]);
});
