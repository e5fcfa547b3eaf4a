import type Stripe from "stripe";
import { expect, test } from "vitest";
import { differenceFrom, type ShownPrice } from "./prices.ts";

const shown: ShownPrice = { key: "solo_month", amountMinor: 1500, currency: "EUR", interval: "month" };

function atStripe(changed: object = {}): Stripe.Price {
  const price = {
    id: "price_1",
    active: true,
    unit_amount: 1500,
    currency: "eur",
    tax_behavior: "inclusive",
    recurring: { interval: "month", interval_count: 1 },
    ...changed,
  };
  // Only the fields that are read; Stripe's whole price has twenty.
  return price as Stripe.Price;
}

test("the same amount, currency and interval differ in nothing", () => {
  expect(differenceFrom(shown, atStripe())).toBeNull();
});

test.each([
  [
    "an amount",
    { unit_amount: 1200 },
    "solo_month is 1200 EUR per month at Stripe and 1500 EUR per month in the config",
  ],
  ["no amount", { unit_amount: null }, "solo_month is no fixed amount EUR per month at Stripe"],
  ["a currency", { currency: "usd" }, "solo_month is 1500 USD per month at Stripe"],
  ["an interval", { recurring: { interval: "year", interval_count: 1 } }, "solo_month is 1500 EUR per year at Stripe"],
  ["a longer one", { recurring: { interval: "month", interval_count: 3 } }, "solo_month is 1500 EUR per 3 months at"],
  ["a single payment", { recurring: null }, "solo_month is 1500 EUR per single payment at Stripe"],
  ["tax on top", { tax_behavior: "exclusive" }, "solo_month doesn't include tax at Stripe"],
  ["tax on top by a setting", { tax_behavior: "unspecified" }, "solo_month doesn't include tax at Stripe"],
  ["an archived price", { active: false }, "solo_month (1500 EUR per month) is missing at Stripe"],
])("%s that differs is named, with the price's key first", (_, changed, difference) => {
  expect(differenceFrom(shown, atStripe(changed))).toContain(difference);
});

test("a price that isn't there is missing", () => {
  expect(differenceFrom(shown, undefined)).toBe("solo_month (1500 EUR per month) is missing at Stripe");
});
