import { expect, test } from "vitest";
import { currencies, minimumCharge } from "#app/core/money/currencies.ts";
import { amountStep } from "#app/core/money/round-amount.ts";
import { minorDigits } from "#app/core/money/minor-digits.ts";
import { chargeMinOf, CURRENCIES, digitsOf, stepOf } from "stripe-emulator/facts";

test("the product and the Stripe emulator have the same currencies, digits, steps and minimum charges", () => {
  const here = currencies.map((code) => [code, minorDigits(code), amountStep(code), minimumCharge(code)]);
  const there = CURRENCIES.map((code) => [code.toUpperCase(), digitsOf(code), stepOf(code), chargeMinOf(code)]);
  expect(there).toEqual(here);
});
