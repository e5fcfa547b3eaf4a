import { expect, test } from "vitest";
import { groupByOrder } from "./order-parts.rules.ts";

const orderId = (nth: number) => `ord_${nth}` as const;

test("each order has its own parts, in their order", () => {
  const lines = [1, 2, 1].map((nth, at) => ({ orderId: orderId(nth), at }));
  const moments = [2].map((nth) => ({ orderId: orderId(nth), what: "paid" }));
  const partsOf = groupByOrder({ lines, moments });
  expect([1, 2, 3].map((nth) => partsOf(orderId(nth)))).toEqual([
    { lines: [{ at: 0 }, { at: 2 }], moments: [] },
    { lines: [{ at: 1 }], moments: [{ what: "paid" }] },
    { lines: [], moments: [] },
  ]);
});

test("each part is looked at equally often, however many there are", () => {
  const looksAtEach = (count: number) => {
    let looks = 0;
    const lines = Array.from({ length: count }, (_, nth) => ({
      get orderId() {
        looks += 1;
        return orderId(nth);
      },
    }));
    const partsOf = groupByOrder({ lines });
    for (let nth = 0; nth < count; nth += 1) partsOf(orderId(nth));
    return looks / count;
  };
  expect(looksAtEach(2000)).toBe(looksAtEach(20));
});
