import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMoney, minorDigits, money, toDecimal } from "./money.ts";

describe("money", () => {
  test("knows how many digits a currency has after the point", () => {
    expect(["EUR", "JPY", "KWD"].map(minorDigits)).toEqual([2, 0, 3]);
  });

  test("is written out in the currency's own digits", () => {
    expect(toDecimal(money(600, "EUR"))).toBe("6.00");
    expect(toDecimal(money(5, "EUR"))).toBe("0.05");
    expect(toDecimal(money(-5, "EUR"))).toBe("-0.05");
    expect(toDecimal(money(600, "JPY"))).toBe("600");
    expect(toDecimal(money(600, "KWD"))).toBe("0.600");
  });

  test("is formatted for people in their locale", () => {
    expect(formatMoney(money(123456, "EUR"), "en")).toBe("€1,234.56");
    expect(formatMoney(money(1500, "JPY"), "en")).toBe("¥1,500");
  });

  test("reads back to the same amount, whatever the amount and currency", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom("EUR", "JPY", "KWD"), (amountMinor, currency) => {
        const text = toDecimal(money(amountMinor, currency));
        expect(BigInt(text.replace(".", ""))).toBe(BigInt(amountMinor));
      }),
    );
  });

  test("never holds a fraction of a cent, nor a currency that is none", () => {
    expect(() => money(0.5, "EUR")).toThrow(RangeError);
    expect(() => money(1, "eur")).toThrow(RangeError);
  });
});
