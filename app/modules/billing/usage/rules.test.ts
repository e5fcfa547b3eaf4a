import { describe, expect, test } from "vitest";
import { dueWarning, excessOver, isUsedUp, usageMonthOf, readMeters, type Warning } from "./rules.ts";

describe("a meter", () => {
  const meters = [
    { key: "shelf", kind: "last", limit: "room" },
    { key: "queue", kind: "maximum", limit: "people" },
  ] as const;

  test("shows the sum over current devices, this month's maximum, and when the newest value was reported", () => {
    const values = [
      { meter: "shelf", part: "dev_a", value: 10, reportedAt: 3 },
      { meter: "shelf", part: "dev_b", value: 5, reportedAt: 7 },
      { meter: "shelf", part: "2026-11", value: 900, reportedAt: 9 },
      { meter: "queue", part: "2026-11", value: 8, reportedAt: 2 },
      { meter: "queue", part: "dev_a", value: 900, reportedAt: 9 },
    ];
    expect(readMeters(meters, { room: 20, people: 4 }, values, "2026-11")).toMatchObject([
      { limit: 20, used: { value: 15, reportedAt: 7 } },
      { limit: 4, used: { value: 8, reportedAt: 2 } },
    ]);
  });

  test("without a report shows nothing rather than zero", () => {
    expect(readMeters(meters, { room: 20 }, [], "2026-11")).toMatchObject([
      { limit: 20, used: null },
      { limit: 0, used: null },
    ]);
  });

  test("has months by the seller's calendar", () => {
    const midnight = Date.UTC(2026, 10, 30, 23, 30);
    expect([usageMonthOf(midnight, "UTC"), usageMonthOf(midnight, "Europe/Berlin")]).toEqual(["2026-11", "2026-12"]);
  });
});

describe("the excess over a plan's limits", () => {
  const meters = [{ key: "shelf", kind: "last", limit: "room", label: "Shelf", unit: "bytes" }] as const;
  const limits = { devices: 2, room: 20 };
  const used = (devices: number, ...shelves: number[]) => ({
    counts: [{ name: "devices", used: devices }],
    values: shelves.map((value, index) => ({ meter: "shelf", part: `dev_${index}`, value, reportedAt: 0 })),
    month: "2026-11",
  });

  test("names devices and each meter with what is used and the limit", () => {
    expect(excessOver(meters, limits, used(3, 15, 6))).toEqual([
      { label: null, name: "devices", unit: "count", used: 3, limit: 2 },
      { label: "Shelf", name: null, unit: "bytes", used: 21, limit: 20 },
    ]);
  });

  test("is nothing up to the limits, and without a report", () => {
    expect([excessOver(meters, limits, used(2, 20)), excessOver(meters, limits, used(0))]).toEqual([[], []]);
  });
});

test.each<[number, Warning[], Warning | null]>([
  [79, [], null],
  [80, [], "high"],
  [99, ["high"], null],
  [100, [], "full"],
  [100, ["high"], "full"],
  [150, ["high", "full"], null],
  [85, ["full"], null],
])("%i of 100, after a warning at %j, is due for a warning at %s", (value, warned, due) => {
  expect(dueWarning(value, 100, warned)).toBe(due);
});

test("no warning is due without a limit while nothing is used", () => {
  expect([dueWarning(0, 0, []), isUsedUp(0, 0)]).toEqual([null, false]);
  expect([dueWarning(1, 0, []), isUsedUp(1, 0)]).toEqual(["full", true]);
});
