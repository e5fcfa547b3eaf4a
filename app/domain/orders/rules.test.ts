import { describe, expect, test } from "vitest";
import {
  bookingYear,
  failureClass,
  isOpen,
  judgePurchase,
  moves,
  orderNumber,
  orderStates,
  type PurchaseFacts,
  statesBefore,
  statusOf,
} from "./rules.ts";

const order = { amountMinor: 600, discountMinor: 0, currency: "EUR", state: "pending" } as const;
const paidInvoice = { isPaid: true, amountMinor: 600, creditMinor: 0, discountMinor: 0, currency: "EUR" };
const open: PurchaseFacts = { checkout: { state: "open" }, invoice: null, attempts: [] };
const complete: PurchaseFacts = { checkout: { state: "complete" }, invoice: null, attempts: [] };

describe("a purchase", () => {
  test("is paid when the invoice is, for the amount and in the currency that were agreed", () => {
    expect(judgePurchase(order, { ...complete, invoice: paidInvoice })).toEqual({ state: "paid", failure: null });
    expect(judgePurchase(order, { ...complete, invoice: { ...paidInvoice, amountMinor: 6 } }).state).toBe("mismatch");
    expect(judgePurchase(order, { ...complete, invoice: { ...paidInvoice, currency: "USD" } }).state).toBe("mismatch");
  });

  test("is paid with credit and discount when all of it together is the price", () => {
    const invoice = { ...paidInvoice, amountMinor: 50, creditMinor: 50, discountMinor: 500 };
    expect(judgePurchase(order, { ...complete, invoice }).state).toBe("paid");
  });

  test("with a friend's discount is paid when discount and payment are the price, and not without the discount", () => {
    const brought = { ...order, amountMinor: 100, discountMinor: 500 };
    const invoice = { ...paidInvoice, amountMinor: 100, discountMinor: 500 };
    expect(judgePurchase(brought, { ...complete, invoice }).state).toBe("paid");
    expect(judgePurchase(brought, { ...complete, invoice: { ...invoice, discountMinor: 0 } }).state).toBe("mismatch");
  });

  test("waits while the checkout is open and nothing was tried", () => {
    expect(judgePurchase(order, open).state).toBe("pending");
  });

  test("has failed after a decline, with a reason a person can act on", () => {
    const attempts = [{ state: "failed", failure: "generic_decline" }] as const;
    expect(judgePurchase(order, { ...open, attempts: [...attempts] })).toEqual({
      state: "failed",
      failure: "declined",
    });
  });

  test("is processing when the checkout is complete but the money isn't there", () => {
    expect(judgePurchase(order, complete).state).toBe("processing");
  });

  test("needs action while the bank asks for it, and expires with its checkout", () => {
    expect(judgePurchase(order, { ...open, attempts: [{ state: "needs-action", failure: null }] }).state).toBe(
      "needs-action",
    );
    expect(judgePurchase(order, { ...open, checkout: { state: "expired" } }).state).toBe("expired");
  });
});

describe("the table of moves", () => {
  test("never leads out of refunded, and from paid only to refunds", () => {
    expect(moves.refunded).toEqual([]);
    expect(moves.paid).toEqual(["partially-refunded", "refunded"]);
  });

  test("lets a failed payment succeed while the checkout lives", () => {
    expect(statesBefore("paid")).toContain("failed");
  });

  test("gives every state a page that tells its truth", () => {
    expect(orderStates.map((state) => statusOf[state])).not.toContain(undefined);
    expect(statusOf.pending).toBe("cancelled");
    expect(statusOf.refunded).toBe("success");
  });

  test("counts as open what may still become paid without a new choice", () => {
    expect(orderStates.filter(isOpen)).toEqual(["draft", "pending", "processing", "needs-action", "failed"]);
  });
});

test("an order's number counts within the year of the seller's calendar", () => {
  expect(orderNumber({ numberYear: 2026, numberInYear: 42 })).toBe("2026-000042");
  expect(orderNumber({ numberYear: null, numberInYear: null })).toBeNull();
  const newYear = Date.UTC(2026, 11, 31, 23, 30);
  expect(bookingYear(newYear, "Europe/Berlin")).toBe(2027);
  expect(bookingYear(newYear, "UTC")).toBe(2026);
});

test("a decline becomes one of a few reasons", () => {
  expect(failureClass("insufficient_funds")).toBe("no-funds");
  expect(failureClass("expired_card")).toBe("card-details");
  expect(failureClass("generic_decline")).toBe("declined");
  expect(failureClass(null)).toBe("other");
});
