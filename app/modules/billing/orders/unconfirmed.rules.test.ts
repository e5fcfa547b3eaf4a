import { expect, test } from "vitest";
import { secondMs } from "#app/core/time/time.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { orderStates, underWayMs } from "./rules.ts";
import { confirmableStates, paymentPath, unconfirmedAfterCharge, wasJustAsked } from "./unconfirmed.rules.ts";

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
