import type { OrderId } from "#app/core/id.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvFileName, facetsOf, ordersQuery, readOrdersQuery, yearBounds } from "./browse.rules.ts";
import { orderStates } from "#app/modules/billing/orders/states.rules.ts";

const none = { year: null, state: null, after: null };
const read = (query: string) => readOrdersQuery(new URLSearchParams(query));

describe("the filters of a list", () => {
  test("ignore invalid years, states and positions", () => {
    expect(read("")).toEqual(none);
    expect(read("year=2026&state=paid&after=5.ord_0a")).toEqual({
      year: 2026,
      state: "paid",
      after: [5, "ord_0a"],
    });
    for (const year of ["", "26", "0026", "2026a", "-2026", "20260", "2026.0", " 2026"]) {
      expect(read(String(new URLSearchParams({ year })))).toEqual(none);
    }
    expect(read("state=PAID")).toEqual(none);
    for (const after of ["5", "5.", ".ord_0a", "5.acc_0a", "5.ord_0a'", "1e9.ord_0a", "9999999999999999.ord_0a"]) {
      expect(read(String(new URLSearchParams({ after })))).toEqual(none);
    }
  });

  test("are read back from the address that they make, and a change affects one filter only", () => {
    const inputs = fc.record({
      year: fc.option(fc.integer({ min: 1000, max: 2999 })),
      state: fc.option(fc.constantFrom(...orderStates)),
      after: fc.option(fc.tuple(fc.nat(), fc.constant<OrderId>("ord_0123456789abcdefghjkmnpqrs"))),
    });
    fc.assert(
      fc.property(inputs, (input) => {
        expect(read(ordersQuery(input))).toEqual(input);
        expect(read(ordersQuery(input, { after: null }))).toEqual({ ...input, after: null });
      }),
    );
    expect(ordersQuery(none)).toBe("");
  });
});

describe("the available filters", () => {
  const turn = Date.UTC(2026, 11, 31, 23, 30);
  const group = { numberYear: null, firstAt: turn, lastAt: turn };

  test("are the years and states that occur, by the seller's calendar", () => {
    expect(facetsOf([], [], "UTC")).toEqual({ years: [], states: [] });
    const states = [{ state: "paid" }, { state: "cancelled" }] as const;
    expect(facetsOf([...states], [group], "UTC")).toEqual({ years: [2026], states: ["paid", "cancelled"] });
    expect(facetsOf([], [group], "Europe/Berlin").years).toEqual([2027]);
    const paid = { numberYear: 2025, firstAt: 0, lastAt: 0 };
    expect(facetsOf([], [paid, group, { ...paid, numberYear: 2026 }], "UTC").years).toEqual([2026, 2025]);
  });

  test("include both seller's years that a UTC year overlaps, if there are orders in both", () => {
    const wide = { numberYear: null, firstAt: Date.UTC(2026, 0, 5), lastAt: turn };
    expect(facetsOf([], [wide], "Europe/Berlin").years).toEqual([2027, 2026]);
    expect(facetsOf([], [wide], "America/New_York").years).toEqual([2026]);
  });

  test("have years that end where the next one begins", () => {
    const berlin = yearBounds(2026, "Europe/Berlin");
    expect(berlin).toEqual({ from: Date.UTC(2025, 11, 31, 23), until: Date.UTC(2026, 11, 31, 23) });
    expect(yearBounds(2027, "Europe/Berlin").from).toBe(berlin.until);
  });
});

test("the file is named after its contents", () => {
  expect(csvFileName("Gull", none)).toBe("gull-orders.csv");
  expect(csvFileName('Grey "Gull"', { year: 2026, state: "needs-action" })).toBe(
    "grey-gull-orders-2026-needs-action.csv",
  );
});
