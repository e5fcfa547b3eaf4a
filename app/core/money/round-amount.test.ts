import fc from "fast-check";
import { expect, test } from "vitest";
import { currencies } from "./currencies.ts";
import { amountStep, roundAmount } from "./round-amount.ts";

test("an amount is the nearest multiple of its currency's step, in every currency; a refund is rounded like its charge", () => {
  const exact = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(exact, fc.constantFrom(...currencies), (exactMinor, currency) => {
      const rounded = roundAmount(exactMinor, currency);
      expect(Math.abs(rounded % amountStep(currency))).toBe(0);
      expect(Math.abs(rounded - exactMinor)).toBeLessThanOrEqual(amountStep(currency) / 2);
      expect(roundAmount(-exactMinor, currency) + rounded).toBe(0);
    }),
  );
});

test.each([
  ["EUR", 0.5, 1],
  ["EUR", -0.5, -1],
  ["JPY", 99.4, 99],
  ["KWD", 1341, 1340],
  ["KWD", 1345, 1350],
  ["TND", -1345, -1350],
  ["ISK", 46_349, 46_300],
  ["UGX", 46_350, 46_400],
])("in %s %f becomes %i", (currency, exactMinor, rounded) => {
  expect(roundAmount(exactMinor, currency)).toBe(rounded);
});
