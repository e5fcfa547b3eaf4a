import { expect, test } from "vitest";
import { mismatchListedMs, whatToDo } from "./mismatches.rules.ts";

const paid = { state: "paid", failure: "mismatch-refunded", dispute: "none", paidAt: 1000 } as const;
const settled = { ...paid, state: "refunded" } as const;

test("a payment that wasn't sent back is refunded by hand, however long ago it was", () => {
  expect(whatToDo(paid, 1000)).toContain("refund it");
  expect(whatToDo({ ...paid, state: "partially-refunded" }, 1000 + 2 * mismatchListedMs)).toContain("refund it");
});

test("one that is settled is known for a month", () => {
  expect(whatToDo(settled, 1000 + mismatchListedMs)).toContain("nothing: refunded");
  expect(whatToDo({ ...paid, dispute: "lost" }, 1000)).toContain("nothing: returned by the bank");
  expect(whatToDo({ ...paid, failure: "mismatch-kept" }, 1000)).toContain("nothing: plan kept");
  expect(whatToDo(settled, 1001 + mismatchListedMs)).toBeNull();
});

test("any other payment needs nothing", () => {
  expect(whatToDo({ ...paid, failure: null }, 1000)).toBeNull();
  expect(whatToDo({ ...paid, failure: "declined" }, 1000)).toBeNull();
});
