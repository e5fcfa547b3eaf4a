import { expect, inject, test } from "vitest";
import { formatMoney, formatPrice } from "#app/core/money/money.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What Node writes while the site is built, by amount, currency and locale (vitest.config.ts). */
    formattedAmounts: Record<string, string>;
  }
}

/** Node formats amounts while the site is built, workerd formats the others: both have their own version of ICU. */
test.each(Object.entries(inject("formattedAmounts")))("%s is formatted by workerd as by the build", (amount, text) => {
  const [amountMinor, currency = "", locale = "", kind] = amount.split(" ");
  const format = kind === "price" ? formatPrice : formatMoney;
  expect(format({ amountMinor: Number(amountMinor), currency }, locale)).toBe(text);
});
