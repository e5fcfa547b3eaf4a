import { expect, test } from "vitest";
import { namePaymentMethod } from "./payment-method.ts";

test.each([
  ["visa", "4242", "Visa ••••\u00a04242"],
  ["sepa_debit", "3000", "SEPA Direct Debit ••••\u00a03000"],
  ["paypal", null, "PayPal"],
  ["klarna_later", null, "Klarna later"],
])("%s with %s is formatted for people", (name, last4, text) => {
  expect(namePaymentMethod(name, last4)).toBe(text);
});
