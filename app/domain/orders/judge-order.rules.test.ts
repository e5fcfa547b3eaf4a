import { describe, expect, test } from "vitest";
import { failureClass, judgeOrder, type OrderFacts } from "./judge-order.rules.ts";

const order = { amountMinor: 600, discountMinor: 0, creditMinor: 0, currency: "EUR", state: "pending" } as const;
const paidInvoice = { state: "paid", amountMinor: 600, creditMinor: 0, discountMinor: 0, currency: "EUR" } as const;
const open: OrderFacts = { checkout: { state: "open" }, invoice: null, attempts: [] };
const complete: OrderFacts = { checkout: { state: "complete" }, invoice: null, attempts: [] };

describe("an order", () => {
  test("is paid when the invoice is, for the amount and in the currency that were agreed", () => {
    expect(judgeOrder(order, { ...complete, invoice: paidInvoice })).toEqual({ state: "paid", failure: null });
    expect(judgeOrder(order, { ...complete, invoice: { ...paidInvoice, amountMinor: 6 } }).state).toBe("mismatch");
    expect(judgeOrder(order, { ...complete, invoice: { ...paidInvoice, currency: "USD" } }).state).toBe("mismatch");
  });

  test("is paid with credit and discount when all of it together is the price", () => {
    const invoice = { ...paidInvoice, amountMinor: 50, creditMinor: 50, discountMinor: 500 };
    expect(judgeOrder(order, { ...complete, invoice }).state).toBe("paid");
  });

  test("with a friend's discount is paid when discount and payment are the price, and not without the discount", () => {
    const brought = { ...order, amountMinor: 100, discountMinor: 500 };
    const invoice = { ...paidInvoice, amountMinor: 100, discountMinor: 500 };
    expect(judgeOrder(brought, { ...complete, invoice }).state).toBe("paid");
    expect(judgeOrder(brought, { ...complete, invoice: { ...invoice, discountMinor: 0 } }).state).toBe("mismatch");
  });

  test("waits while the checkout is open and nothing was tried", () => {
    expect(judgeOrder(order, open).state).toBe("pending");
  });

  test("has failed after a decline, with a reason a person can act on", () => {
    const attempts = [{ state: "failed", failure: "generic_decline" }] as const;
    expect(judgeOrder(order, { ...open, attempts: [...attempts] })).toEqual({
      state: "failed",
      failure: "declined",
    });
  });

  test("is processing when the checkout is complete but the money isn't there", () => {
    expect(judgeOrder(order, complete).state).toBe("processing");
  });

  test("needs action while the bank asks for it, and expires with its checkout", () => {
    expect(judgeOrder(order, { ...open, attempts: [{ state: "needs-action", failure: null }] }).state).toBe(
      "needs-action",
    );
    expect(judgeOrder(order, { ...open, checkout: { state: "expired" } }).state).toBe("expired");
  });

  test("of an invoice that nobody began here waits, fails, is confirmed and is given up with it", () => {
    const facts: OrderFacts = { checkout: null, invoice: { ...paidInvoice, state: "open" }, attempts: [] };
    const tried = (state: OrderFacts["attempts"][number]["state"]) =>
      judgeOrder(order, { ...facts, attempts: [{ state, failure: "insufficient_funds" }] });
    expect(judgeOrder(order, facts).state).toBe("pending");
    expect(tried("failed")).toEqual({ state: "failed", failure: "no-funds" });
    expect(tried("needs-action").state).toBe("needs-action");
    expect(tried("processing").state).toBe("processing");
    expect(judgeOrder(order, { ...facts, invoice: { ...paidInvoice, state: "void" } }).state).toBe("cancelled");
  });

  test("that never reached the provider stands as it stood", () => {
    expect(judgeOrder({ ...order, state: "draft" }, { checkout: null, invoice: null, attempts: [] }).state).toBe(
      "draft",
    );
  });

  test("with credit taken meanwhile is paid all the same: the whole is what was asked for", () => {
    const quoted = { ...order, amountMinor: 400, creditMinor: 200 };
    expect(judgeOrder(quoted, { ...complete, invoice: paidInvoice }).state).toBe("paid");
  });
});

test("a decline becomes one of a few reasons", () => {
  expect(failureClass("insufficient_funds")).toBe("no-funds");
  expect(failureClass("expired_card")).toBe("card-details");
  expect(failureClass("generic_decline")).toBe("declined");
  expect(failureClass(null)).toBe("other");
});
