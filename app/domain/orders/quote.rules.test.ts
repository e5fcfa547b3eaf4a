import { describe, expect, test } from "vitest";
import { quoteHolds, quoteLifeMs, readQuote, writeQuote } from "./quote.rules.ts";

describe("a quote", () => {
  const now = 1_800_000_000_000;
  const price = { amountMinor: 600, currency: "EUR" };
  const quote = { ...price, quotedAt: now, prorationAt: null };

  test("holds for ten minutes and the same amount", () => {
    expect(quoteHolds(quote, price, now + quoteLifeMs)).toBe(true);
    expect(quoteHolds(quote, price, now + quoteLifeMs + 1)).toBe(false);
    expect(quoteHolds(quote, { ...price, amountMinor: 700 }, now)).toBe(false);
    expect(quoteHolds(quote, { ...price, currency: "USD" }, now)).toBe(false);
  });

  test("from the future is none", () => {
    expect(quoteHolds(quote, price, now - 1)).toBe(false);
    expect(quoteHolds(null, price, now)).toBe(false);
  });

  test("comes back from the page as it was written, with the moment that a change was reckoned by", () => {
    expect(readQuote(writeQuote(quote))).toEqual(quote);
    expect(readQuote(writeQuote({ ...quote, prorationAt: now }))).toEqual({ ...quote, prorationAt: now });
  });

  test.each(["600", "", "600.EUR", "600.eur.1", "-1.EUR.1", "600.EUR.1.", "600.EUR.1.2.3", "600.EUR.1x"])(
    "made up as %j is none",
    (text) => {
      expect(readQuote(text)).toBeNull();
    },
  );
});
