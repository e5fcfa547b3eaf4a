import { describe, expect, test } from "vitest";
import { decideMismatch } from "./mismatch.rules.ts";

const none = { discountMinor: 0, creditMinor: 0 };
const solo = { planId: "solo", interval: "month" } as const;
/** The page asked for 15.00; an earlier config sold it at 12.00. */
const order = { kind: "new-plan", ...solo, amountMinor: 1500, ...none, currency: "EUR", expiresAt: 1 } as const;
const price = { ...solo, amountMinor: 1500, currency: "EUR" };
const paid = { ...none, totalMinor: 1500, currency: "EUR", price };
const former = { ...paid, totalMinor: 1200, price: { ...price, amountMinor: 1200 } };

describe("a payment", () => {
  test("of what was asked is no mismatch, whatever credit, discount or debt took of it", () => {
    expect(decideMismatch(order, paid)).toBeNull();
    expect(decideMismatch(order, { ...paid, price: null })).toBeNull();
    expect(decideMismatch({ ...order, amountMinor: 1000, creditMinor: 500 }, paid)).toBeNull();
    expect(decideMismatch({ ...order, amountMinor: 1550, creditMinor: -50 }, paid)).toBeNull();
    expect(decideMismatch(order, { ...paid, totalMinor: 1000, discountMinor: 500 })).toBeNull();
    expect(decideMismatch({ ...order, amountMinor: 1000, discountMinor: 500 }, paid)).toBeNull();
  });

  test("of the price of an earlier config keeps the plan at that price", () => {
    expect(decideMismatch(order, former)).toBe("mismatch-kept");
    expect(decideMismatch(order, { ...former, totalMinor: 700, discountMinor: 500 })).toBe("mismatch-kept");
  });

  test.each([
    ["more than was asked", { ...paid, totalMinor: 1800, price: { ...price, amountMinor: 1800 } }],
    ["an amount that isn't the price's", { ...former, totalMinor: 1100 }],
    ["tax on top of the price", { ...paid, totalMinor: 1785 }],
    ["a price of nobody knows what", { ...former, price: null }],
    ["another plan's price", { ...former, price: { ...former.price, planId: "team" } }],
    ["another interval's price", { ...former, price: { ...former.price, interval: "year" as const } }],
    ["another plan at the same amount", { ...paid, price: { ...price, planId: "team" } }],
    ["another interval at the same amount", { ...paid, price: { ...price, interval: "year" as const } }],
    ["another currency", { ...paid, currency: "USD", price: { ...price, currency: "USD" } }],
  ])("of %s is refunded", (_, invoice) => {
    expect(decideMismatch(order, invoice)).toBe("mismatch-refunded");
  });

  test("for a change keeps the plan if it is less than was quoted, and is refunded if it is more", () => {
    const change = { ...order, kind: "change", amountMinor: 400 } as const;
    expect(decideMismatch(change, { ...paid, totalMinor: 400 })).toBeNull();
    expect(decideMismatch(change, { ...paid, totalMinor: 400, discountMinor: 100 })).toBeNull();
    expect(decideMismatch(change, { ...paid, totalMinor: 300 })).toBe("mismatch-kept");
    expect(decideMismatch(change, { ...paid, totalMinor: 250, discountMinor: 250 })).toBe("mismatch-kept");
    expect(decideMismatch(change, { ...paid, totalMinor: 500 })).toBe("mismatch-refunded");
  });

  test("of an invoice that Stripe made by itself is taken as it is", () => {
    expect(decideMismatch({ ...order, kind: "renewal", expiresAt: null }, former)).toBeNull();
  });
});
