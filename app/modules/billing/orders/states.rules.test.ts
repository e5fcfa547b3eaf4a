import { describe, expect, test } from "vitest";
import { secondMs } from "#app/core/time/time.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import {
  confirmableStates,
  isMoneyGone,
  isOpen,
  isPartlyLost,
  orderStates,
  orderStatesBefore,
  orderTransitions,
  paymentPath,
  paymentStatusOf,
  unconfirmedAfterCharge,
  underWayMs,
  wasJustAsked,
} from "./states.rules.ts";

describe("the table of transitions", () => {
  test("leads from paid to refunds only, and back when a bank returns one", () => {
    const afterwards = ["paid", "partially-refunded", "refunded"] as const;
    for (const state of afterwards) {
      expect([...orderTransitions[state], state].toSorted()).toEqual([...afterwards]);
    }
  });

  test("lets a failed payment succeed while the checkout is open", () => {
    expect(orderStatesBefore("paid")).toContain("failed");
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

test("an order that is paid or processing at the bank is not unconfirmed", () => {
  const known = orderStates.filter((state) => !confirmableStates.includes(state));
  expect(known.toSorted()).toEqual(["paid", "partially-refunded", "processing", "refunded"]);
});

test("an unconfirmed order leads to the page that refreshes, any other order to its own page", () => {
  const order = sampleOrder({ id: "ord_1", state: "pending" });
  expect(paymentPath(order)).toBe("/payment/cancelled?order=ord_1");
  expect(paymentPath({ ...order, isUnconfirmed: true })).toBe("/payment/processing?order=ord_1");
  expect(paymentPath({ ...order, state: "paid" })).toBe("/payment/success?order=ord_1");
});

test("an unanswered charge may still be carried out for half a minute, and its page doesn't wait for Stripe again", () => {
  const unconfirmedUntil = unconfirmedAfterCharge(1000);
  expect(unconfirmedUntil).toBe(1000 + underWayMs);
  expect(wasJustAsked({ unconfirmedUntil }, 1000)).toBe(true);
  expect(wasJustAsked({ unconfirmedUntil }, 1000 + 4 * secondMs)).toBe(false);
  expect(wasJustAsked({ unconfirmedUntil: 1000 }, 1000)).toBe(false);
  expect(wasJustAsked({ unconfirmedUntil: null }, 1000)).toBe(false);
});
