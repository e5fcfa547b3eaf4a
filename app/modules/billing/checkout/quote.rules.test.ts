import { describe, expect, test } from "vitest";
import { type Quote, isQuoteCurrent, quoteLifeMs, readQuote, writeQuote } from "./quote.rules.ts";

describe("a quote", () => {
  const now = 1_800_000_000_000;
  const price = { amountMinor: 600, currency: "EUR" };
  const quote = { ...price, quotedAt: now, prorationAt: null };

  test("holds for ten minutes and the same amount", () => {
    expect(isQuoteCurrent(quote, price, now + quoteLifeMs)).toBe(true);
    expect(isQuoteCurrent(quote, price, now + quoteLifeMs + 1)).toBe(false);
    expect(isQuoteCurrent(quote, { ...price, amountMinor: 700 }, now)).toBe(false);
    expect(isQuoteCurrent(quote, { ...price, currency: "USD" }, now)).toBe(false);
  });

  test("from the future is rejected", () => {
    expect(isQuoteCurrent(quote, price, now - 1)).toBe(false);
    expect(isQuoteCurrent(null, price, now)).toBe(false);
  });

  const write = (quote: Quote) => writeQuote("pepper", "acc_anna", quote);
  const read = (text: string) => readQuote("pepper", "acc_anna", text);

  test("is read from the page as it was written, with the time that a change was computed for", async () => {
    expect(await read(await write(quote))).toEqual(quote);
    expect(await read(await write({ ...quote, prorationAt: now }))).toEqual({ ...quote, prorationAt: now });
  });

  test("with another amount, time, account or pepper is rejected", async () => {
    const change = { ...quote, prorationAt: now };
    const [text, later] = [await write(change), await write({ ...change, prorationAt: now + 1 })];
    const hash = (of: string) => of.split(".").at(-1);
    expect(await read(`600.EUR.${now}.${now + 1}.${hash(text)}`)).toBeNull();
    expect(await read(`600.EUR.${now}.${now + 1}.${hash(later)}`)).toEqual({ ...change, prorationAt: now + 1 });
    expect(await read(`0.EUR.${now}.${now}.${hash(text)}`)).toBeNull();
    expect(await readQuote("pepper", "acc_ben", text)).toBeNull();
    expect(await readQuote("salt", "acc_anna", text)).toBeNull();
  });

  test.each([
    "600",
    "",
    "600.EUR",
    "600.eur.1",
    "-1.EUR.1",
    "600.EUR.1.",
    "600.EUR.1.2.3",
    "600.EUR.1x",
    "600.EUR.1.2",
  ])("invented as %j is rejected", async (text) => {
    expect(await read(text)).toBeNull();
  });
});
