import { describe, expect, test } from "vitest";
import { failureClass, decideOrder, type OrderFacts } from "./decide-order.rules.ts";

const order = { state: "pending" } as const;
const paidInvoice = { state: "paid" } as const;
const nothing: OrderFacts = { checkout: null, invoice: null, attempts: [] };
const open: OrderFacts = { ...nothing, checkout: { state: "open" } };
const complete: OrderFacts = { ...nothing, checkout: { state: "complete" } };

describe("an order", () => {
  test("is paid once its invoice is", () => {
    expect(decideOrder(order, { ...complete, invoice: paidInvoice })).toEqual({ state: "paid", failure: null });
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
    const facts: OrderFacts = { ...nothing, invoice: { state: "open" } };
    const tried = (state: OrderFacts["attempts"][number]["state"]) =>
      decideOrder(order, { ...facts, attempts: [{ state, failure: "insufficient_funds" }] });
    expect(decideOrder(order, facts).state).toBe("pending");
    expect(tried("failed")).toEqual({ state: "failed", failure: "no-funds" });
    expect(tried("needs-action").state).toBe("needs-action");
    expect(tried("processing").state).toBe("processing");
    expect(decideOrder(order, { ...facts, invoice: { state: "void" } }).state).toBe("cancelled");
  });

  test("that never reached the provider is unchanged", () => {
    expect(decideOrder({ state: "draft" }, nothing).state).toBe("draft");
  });
});

test("a decline is mapped to one of a few reasons", () => {
  expect(failureClass("insufficient_funds")).toBe("no-funds");
  expect(failureClass("expired_card")).toBe("card-details");
  expect(failureClass("generic_decline")).toBe("declined");
  expect(failureClass(null)).toBe("other");
});
