import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { balanceChange, netAmountFor } from "./net-amount.ts";
import { currencies, minimumCharge } from "./currencies.ts";

describe("a charge", () => {
  test.each([
    // total, balance before, amount, credit used, carried
    [600, 0, 600, 0, 0],
    [600, 200, 400, 200, 0],
    [600, 900, 0, 600, 0],
    [600, -30, 630, 0, 30],
    [30, 0, 0, 0, -30],
    [50, 0, 50, 0, 0],
    [49, 0, 0, 0, -49],
    [30, -30, 60, 0, 30],
    [20, -20, 0, 0, -20],
    [600, 580, 0, 580, -20],
    [-300, 0, 0, -300, 0],
    [-300, -30, 0, -270, 30],
  ])("of %i with a balance of %i collects %i, uses %i of credit and carries over %i", (total, balance, ...expected) => {
    const { amountMinor, creditMinor, carriedMinor } = netAmountFor(total, balance, "EUR");
    expect([amountMinor, creditMinor, carriedMinor]).toEqual(expected);
  });

  test("is its total less credit and what was carried over, never below the minimum charge; the rest stays in the balance", () => {
    const minor = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(minor, minor, fc.constantFrom(...currencies), (total, balance, currency) => {
        const { amountMinor, creditMinor, carriedMinor } = netAmountFor(total, balance, currency);
        expect(amountMinor).toBe(total - creditMinor + carriedMinor);
        expect(amountMinor === 0 || amountMinor >= minimumCharge(currency)).toBe(true);
        expect({ creditMinor, carriedMinor }).toEqual(balanceChange(balance, balance - total + amountMinor));
      }),
    );
  });
});
