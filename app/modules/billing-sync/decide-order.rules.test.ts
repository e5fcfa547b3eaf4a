import { describe, expect, test } from "vitest";
import { failureClass, decideOrder, type OrderFacts } from "./decide-order.rules.ts";

const none = { discountMinor: 0, creditMinor: 0 };
const order = { amountMinor: 600, ...none, currency: "EUR", state: "pending", expiresAt: 1 } as const;
const paidInvoice = { state: "paid", amountMinor: 600, ...none, totalMinor: 600, currency: "EUR" } as const;
const nothing: OrderFacts = { checkout: null, invoice: null, attempts: [], isFullyReturned: false };
const open: OrderFacts = { ...nothing, checkout: { state: "open" } };
const complete: OrderFacts = { ...nothing, checkout: { state: "complete" } };

describe("an order", () => {
  test("is paid once its invoice is, with the agreed amount and currency", () => {
    expect(decideOrder(order, { ...complete, invoice: paidInvoice })).toEqual({ state: "paid", failure: null });
    const less = { ...paidInvoice, amountMinor: 6, totalMinor: 6 };
    expect(decideOrder(order, { ...complete, invoice: less }).state).toBe("mismatch");
    expect(decideOrder(order, { ...complete, invoice: { ...paidInvoice, currency: "USD" } }).state).toBe("mismatch");
  });

  test("is paid with credit and discount if everything together equals the price", () => {
    const invoice = { ...paidInvoice, amountMinor: 50, creditMinor: 50, discountMinor: 500, totalMinor: 100 };
    expect(decideOrder(order, { ...complete, invoice }).state).toBe("paid");
  });

  test("with a friend's discount is paid if discount and payment together equal the price, and not without the discount", () => {
    const discounted = { ...order, amountMinor: 100, discountMinor: 500 };
    const invoice = { ...paidInvoice, amountMinor: 100, discountMinor: 500, totalMinor: 100 };
    expect(decideOrder(discounted, { ...complete, invoice }).state).toBe("paid");
    expect(decideOrder(discounted, { ...complete, invoice: { ...invoice, discountMinor: 0 } }).state).toBe("mismatch");
  });

  test("is paid if an earlier debt was collected along with it", () => {
    const invoice = { ...paidInvoice, amountMinor: 630 };
    expect(decideOrder(order, { ...complete, invoice }).state).toBe("paid");
    expect(decideOrder(order, { ...complete, invoice: { ...invoice, totalMinor: 630 } }).state).toBe("mismatch");
  });

  test("paid with another amount ends once all of it was refunded, so that the next purchase can begin", () => {
    const invoice = { ...paidInvoice, amountMinor: 6, totalMinor: 6 };
    expect(decideOrder(order, { ...complete, invoice, isFullyReturned: true }).state).toBe("cancelled");
    expect(decideOrder(order, { ...complete, invoice: paidInvoice, isFullyReturned: true }).state).toBe("paid");
  });

  test("that wasn't started on the site takes its invoice's state, whatever that was when first seen", () => {
    const renewal = { ...order, expiresAt: null };
    expect(decideOrder(renewal, { ...nothing, invoice: { ...paidInvoice, totalMinor: 450 } }).state).toBe("paid");
  });

  test("waits while the checkout is open and no payment was attempted", () => {
    expect(decideOrder(order, open).state).toBe("pending");
  });

  test("fails after a decline, with a reason that the customer can act on", () => {
    const attempts = [{ state: "failed", failure: "generic_decline" }] as const;
    expect(decideOrder(order, { ...open, attempts: [...attempts] })).toEqual({
      state: "failed",
      failure: "declined",
    });
  });

  test("is processing when the checkout is complete and the money hasn't arrived", () => {
    expect(decideOrder(order, complete).state).toBe("processing");
  });

  test("needs action while the bank asks for a confirmation, and expires with its checkout", () => {
    expect(decideOrder(order, { ...open, attempts: [{ state: "needs-action", failure: null }] }).state).toBe(
      "needs-action",
    );
    expect(decideOrder(order, { ...open, checkout: { state: "expired" } }).state).toBe("expired");
  });

  test("that wasn't started on the site waits, fails, is confirmed and is cancelled together with its invoice", () => {
    const facts: OrderFacts = { ...nothing, invoice: { ...paidInvoice, state: "open" } };
    const tried = (state: OrderFacts["attempts"][number]["state"]) =>
      decideOrder(order, { ...facts, attempts: [{ state, failure: "insufficient_funds" }] });
    expect(decideOrder(order, facts).state).toBe("pending");
    expect(tried("failed")).toEqual({ state: "failed", failure: "no-funds" });
    expect(tried("needs-action").state).toBe("needs-action");
    expect(tried("processing").state).toBe("processing");
    expect(decideOrder(order, { ...facts, invoice: { ...paidInvoice, state: "void" } }).state).toBe("cancelled");
  });

  test("that never reached the provider is unchanged", () => {
    expect(decideOrder({ ...order, state: "draft" }, nothing).state).toBe("draft");
  });

  test("is still paid when credit was used meanwhile, since the total matches", () => {
    const quoted = { ...order, amountMinor: 400, creditMinor: 200 };
    expect(decideOrder(quoted, { ...complete, invoice: paidInvoice }).state).toBe("paid");
  });
});

test("a decline is mapped to one of a few reasons", () => {
  expect(failureClass("insufficient_funds")).toBe("no-funds");
  expect(failureClass("expired_card")).toBe("card-details");
  expect(failureClass("generic_decline")).toBe("declined");
  expect(failureClass(null)).toBe("other");
});
