import { describe, expect, test } from "vitest";
import { quoteHolds, quoteLifeMs, writeQuote } from "./quote.rules.ts";

describe("a quote", () => {
  const now = 1_800_000_000_000;
  const quote = writeQuote({ amountMinor: 600, currency: "EUR", quotedAt: now });

  test("holds for ten minutes and the same amount", () => {
    expect(quoteHolds(quote, { amountMinor: 600, currency: "EUR" }, now + quoteLifeMs)).toBe(true);
    expect(quoteHolds(quote, { amountMinor: 600, currency: "EUR" }, now + quoteLifeMs + 1)).toBe(false);
    expect(quoteHolds(quote, { amountMinor: 700, currency: "EUR" }, now)).toBe(false);
    expect(quoteHolds(quote, { amountMinor: 600, currency: "USD" }, now)).toBe(false);
  });

  test("from the future, or made up, is none", () => {
    expect(quoteHolds(quote, { amountMinor: 600, currency: "EUR" }, now - 1)).toBe(false);
    expect(quoteHolds("600", { amountMinor: 600, currency: "EUR" }, now)).toBe(false);
    expect(quoteHolds(undefined, { amountMinor: 600, currency: "EUR" }, now)).toBe(false);
  });
});
