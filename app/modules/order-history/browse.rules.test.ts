import type { OrderId } from "#app/core/id.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvFileName, facetsOf, ordersQuery, readOrdersQuery, yearBounds } from "./browse.rules.ts";
import { orderStates } from "#app/modules/orders/rules.ts";

const none = { year: null, state: null, after: null, orderId: null };
const read = (query: string) => readOrdersQuery(new URLSearchParams(query));

describe("how a list is asked for", () => {
  test("years, states and places that can't be count as absent", () => {
    expect(read("")).toEqual(none);
    expect(read("year=2026&state=paid&after=5.ord_0a&order=ord_1")).toEqual({
      year: 2026,
      state: "paid",
      after: { createdAt: 5, id: "ord_0a" },
      orderId: "ord_1",
    });
    for (const year of ["", "26", "0026", "2026a", "-2026", "20260", "2026.0", " 2026"]) {
      expect(read(String(new URLSearchParams({ year })))).toEqual(none);
    }
    expect(read("state=PAID")).toEqual(none);
    for (const after of ["5", "5.", ".ord_0a", "5.acc_0a", "5.ord_0a'", "1e9.ord_0a", "9999999999999999.ord_0a"]) {
      expect(read(String(new URLSearchParams({ after })))).toEqual(none);
    }
  });

  test("what is asked for comes back from the address it makes, and a change changes that alone", () => {
    const inputs = fc.record({
      year: fc.option(fc.integer({ min: 1000, max: 2999 })),
      state: fc.option(fc.constantFrom(...orderStates)),
      after: fc.option(fc.record({ createdAt: fc.nat(), id: fc.constant<OrderId>("ord_0123456789abcdefghjkmnpqrs") })),
      orderId: fc.option(fc.string().map((text): OrderId => `ord_${text}`)),
    });
    fc.assert(
      fc.property(inputs, (input) => {
        expect(read(ordersQuery(input))).toEqual(input);
        expect(read(ordersQuery(input, { after: null, orderId: "ord_1" }))).toEqual({
          ...input,
          after: null,
          orderId: "ord_1",
        });
      }),
    );
    expect(ordersQuery(none)).toBe("");
  });
});

describe("what a list can be narrowed to", () => {
  const turn = Date.UTC(2026, 11, 31, 23, 30);
  const heap = { numberYear: null, firstAt: turn, lastAt: turn };

  test("is the years and states that there are, on the seller's calendar", () => {
    expect(facetsOf([], [], "UTC")).toEqual({ years: [], states: [] });
    const states = [{ state: "paid" }, { state: "cancelled" }] as const;
    expect(facetsOf([...states], [heap], "UTC")).toEqual({ years: [2026], states: ["paid", "cancelled"] });
    expect(facetsOf([], [heap], "Europe/Berlin").years).toEqual([2027]);
    const paid = { numberYear: 2025, firstAt: 0, lastAt: 0 };
    expect(facetsOf([], [paid, heap, { ...paid, numberYear: 2026 }], "UTC").years).toEqual([2026, 2025]);
  });

  test("of a year in UTC that lies in two of the seller's, it is both if there are orders in both", () => {
    const wide = { numberYear: null, firstAt: Date.UTC(2026, 0, 5), lastAt: turn };
    expect(facetsOf([], [wide], "Europe/Berlin").years).toEqual([2027, 2026]);
    expect(facetsOf([], [wide], "America/New_York").years).toEqual([2026]);
  });

  test("a year ends where the next begins", () => {
    const berlin = yearBounds(2026, "Europe/Berlin");
    expect(berlin).toEqual({ from: Date.UTC(2025, 11, 31, 23), until: Date.UTC(2026, 11, 31, 23) });
    expect(yearBounds(2027, "Europe/Berlin").from).toBe(berlin.until);
  });
});

test("the file is called after what is in it", () => {
  expect(csvFileName("Gull", none)).toBe("gull-orders.csv");
  expect(csvFileName('Grey "Gull"', { year: 2026, state: "needs-action" })).toBe(
    "grey-gull-orders-2026-needs-action.csv",
  );
});
