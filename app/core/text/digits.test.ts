import { describe, expect, test } from "vitest";
import { asciiDigits, normaliseDigits } from "./digits.ts";

const everyDigit = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => (code < 0xd800 || code > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(code)))
  .map((code) => String.fromCodePoint(code));

describe("digits that were typed or pasted", () => {
  test("of every script count by their value", () => {
    expect(everyDigit.length).toBeGreaterThan(600);
    const formatted = new Map(
      Intl.supportedValuesOf("numberingSystem").flatMap((system) => {
        const format = new Intl.NumberFormat(`en-u-nu-${system}`);
        return Array.from({ length: 10 }, (_, value) => [format.format(value), String(value)] as const);
      }),
    );
    const known = everyDigit.filter((typed) => formatted.has(typed));
    expect(known.length).toBeGreaterThan(500);
    for (const typed of known) expect([typed, normaliseDigits(typed)]).toEqual([typed, formatted.get(typed)]);
    for (const typed of everyDigit) expect(normaliseDigits(typed)).toMatch(/^\d$/);
  });

  test("may be separated and surrounded by what people and programs put there", () => {
    const digits = "79233541";
    for (const typed of [
      "    7923 3541\n",
      "7923\t3541",
      "7923\u00a03541",
      "7923\u2009\u20093541",
      "7923-3541",
      "7923\u20133541",
      "7923\u22123541",
      "7923.3541",
      "\u200b7923\u00ad3541\ufeff",
      "\u20667923 3541\u2069",
      "\u202a79233541\u202c",
      "7923\u00b73541",
      "7923_3541",
      "7923,3541",
      '"79233541"',
      "code 79233541",
      "7\ufe0f\u20e39\ufe0f\u20e323\ufe0f\u20e33541",
    ])
      expect(normaliseDigits(typed)).toBe(digits);
  });

  test("become ASCII within a text, which otherwise stays", () => {
    expect(asciiDigits("#٢٠٢٦-۰۰۰۰۴۱ a")).toBe("#2026-000041 a");
  });
});
