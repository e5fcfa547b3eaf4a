import { describe, expect, test } from "vitest";
import { currencies, minimumCharge } from "./currencies.ts";
import { amountStep } from "./round-amount.ts";
import { minorDigits } from "./minor-digits.ts";

const withDigits = (digits: number) => currencies.filter((currency) => minorDigits(currency) === digits);

describe("the currencies of the payment provider", () => {
  test("are each listed once: 15 without a minor unit, 5 with three digits, the others with two", () => {
    expect(new Set(currencies).size).toBe(currencies.length);
    expect([withDigits(0).length, withDigits(3).length]).toEqual([15, 5]);
    expect(["EUR", "HUF", "ISK", "UGX", "TWD", "IDR"].map(minorDigits)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test("accept only chargeable amounts: tens with three digits, whole units where Stripe charges no fraction", () => {
    const steps = { EUR: 1, HUF: 1, TWD: 1, JPY: 1, ISK: 100, UGX: 100, KWD: 10, BHD: 10 };
    expect(Object.fromEntries(Object.keys(steps).map((currency) => [currency, amountStep(currency)]))).toEqual(steps);
  });

  test("have the published minimum charges", () => {
    const published = {
      USD: 50,
      AED: 200,
      ARS: 50,
      AUD: 50,
      BRL: 50,
      CAD: 50,
      CHF: 50,
      COP: 50,
      CZK: 1500,
      DKK: 250,
      EUR: 50,
      GBP: 30,
      HKD: 400,
      HUF: 17_500,
      IDR: 50,
      ILS: 50,
      INR: 50,
      JPY: 50,
      KRW: 50,
      MXN: 1000,
      MYR: 200,
      NOK: 300,
      NZD: 50,
      PHP: 50,
      PLN: 200,
      RON: 200,
      RUB: 50,
      SEK: 300,
      SGD: 50,
      THB: 1000,
      ZAR: 50,
    };
    expect(Object.fromEntries(Object.keys(published).map((code) => [code, minimumCharge(code)]))).toEqual(published);
  });
});
