import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencies } from "./currencies.ts";
import { formatMoney, formatPrice, money, toDecimal } from "./money.ts";

describe("money", () => {
  test("is written with the currency's own number of digits", () => {
    expect(toDecimal(money(600, "EUR"))).toBe("6.00");
    expect(toDecimal(money(5, "EUR"))).toBe("0.05");
    expect(toDecimal(money(-5, "EUR"))).toBe("-0.05");
    expect(toDecimal(money(600, "JPY"))).toBe("600");
    expect(toDecimal(money(600, "KWD"))).toBe("0.600");
  });

  test("is formatted for the reader's locale", () => {
    expect(formatMoney(money(123456, "EUR"), "en")).toBe("€1,234.56");
    expect(formatMoney(money(1500, "JPY"), "en")).toBe("¥1,500");
    expect(formatMoney(money(299_000, "HUF"), "en")).toMatch(/^HUF\s2,990\.00$/);
  });

  test("is shown as a price without decimals if it is whole, otherwise with all of them", () => {
    expect(formatPrice(money(600, "EUR"), "en")).toBe("€6");
    expect(formatPrice(money(0, "EUR"), "en")).toBe("€0");
    expect(formatPrice(money(550, "EUR"), "en")).toBe("€5.50");
    expect(formatPrice(money(123_400, "EUR"), "de")).toMatch(/^1\.234\s€$/);
    expect(formatPrice(money(1500, "JPY"), "en")).toBe("¥1,500");
    expect(formatPrice(money(6000, "KWD"), "en")).toMatch(/^KWD\s6$/);
    expect(formatPrice(money(6010, "KWD"), "en")).toMatch(/^KWD\s6\.010$/);
  });

  test("shows the same amount as is charged, in every supported currency and any locale", () => {
    const locales = fc.constantFrom("en", "de", "hu", "ja", "fr-CH", "sv");
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), locales, (amountMinor, currency, locale) => {
        const shown = formatMoney(money(amountMinor, currency), locale).replaceAll(/\D/g, "");
        expect(BigInt(shown)).toBe(BigInt(Math.abs(amountMinor)));
        expect(toDecimal(money(amountMinor, currency)).replace(".", "")).toMatch(new RegExp(`^-?0*${shown}$`));
      }),
      { numRuns: 2000 },
    );
  });

  test("is read back as the same amount, for any amount and currency", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (amountMinor, currency) => {
        const text = toDecimal(money(amountMinor, currency));
        expect(BigInt(text.replace(".", ""))).toBe(BigInt(amountMinor));
      }),
    );
  });

  test("rejects fractions of a cent and unknown currencies", () => {
    expect(() => money(0.5, "EUR")).toThrow(RangeError);
    expect(() => money(1, "eur")).toThrow(RangeError);
  });
});
