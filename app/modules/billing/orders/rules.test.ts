import { statesBefore } from "#app/core/states-before.ts";
import { describe, expect, test } from "vitest";
import {
  accountingYear,
  isOpen,
  isMoneyGone,
  isPartlyLost,
  orderTransitions,
  orderNumber,
  orderStates,
  paymentStatusOf,
} from "./rules.ts";

describe("the table of transitions", () => {
  test("leads from paid to refunds only, and back when a bank returns one", () => {
    const afterwards = ["paid", "partially-refunded", "refunded"] as const;
    for (const state of afterwards) {
      expect([...orderTransitions[state], state].toSorted()).toEqual([...afterwards]);
    }
  });

  test("lets a failed payment succeed while the checkout is open", () => {
    expect(statesBefore(orderStates, orderTransitions, "paid")).toContain("failed");
  });

  test("gives every state a page that matches it", () => {
    expect(orderStates.map((state) => paymentStatusOf[state])).not.toContain(undefined);
    expect(paymentStatusOf.pending).toBe("cancelled");
    expect(paymentStatusOf.refunded).toBe("success");
  });

  test("counts as open what may still be paid without a new choice", () => {
    expect(orderStates.filter(isOpen)).toEqual(["draft", "pending", "processing", "needs-action", "failed"]);
  });
});

test("a dispute took a part of an order, as long as some of its money is left", () => {
  const order = { dispute: "lost", amountMinor: 1500, refundedMinor: 500, lostMinor: 900 } as const;
  expect(isPartlyLost(order)).toBe(true);
  expect(isPartlyLost({ ...order, lostMinor: 1000 })).toBe(false);
  expect(isPartlyLost({ ...order, dispute: "won", lostMinor: 0 })).toBe(false);
});

test("an order's money is gone once a refund or a dispute took the last of it", () => {
  const order = { state: "paid", dispute: "lost", amountMinor: 1500, refundedMinor: 500, lostMinor: 900 } as const;
  expect(isMoneyGone(order)).toBe(false);
  expect(isMoneyGone({ ...order, lostMinor: 1000 })).toBe(true);
  expect(isMoneyGone({ ...order, state: "refunded", dispute: "none", refundedMinor: 1500, lostMinor: 0 })).toBe(true);
});

test("an order's number is counted within the year of the seller's calendar", () => {
  expect(orderNumber({ numberYear: 2026, numberInYear: 42 })).toBe("2026-000042");
  expect(orderNumber({ numberYear: null, numberInYear: null })).toBeNull();
  const newYear = Date.UTC(2026, 11, 31, 23, 30);
  expect(accountingYear(newYear, "Europe/Berlin")).toBe(2027);
  expect(accountingYear(newYear, "UTC")).toBe(2026);
});
