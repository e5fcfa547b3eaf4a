import { expect, test } from "vitest";
import { checkProduct } from "#app/check-product.ts";
import { allOnSale, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { intervals } from "#app/core/time/interval.ts";
import { isOffered } from "#app/modules/catalogue/rules.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { product as fixed } from "#app/product/config.ts";
// By its path: the tests' product replaces the other name.
import { product as own } from "../../../app/product/config.ts";

test.each([
  ["app/product/config.ts", own],
  ["the product that tests run on", fixed],
])("%s contains only values that can be shown, charged and read", (_name, config) => {
  expect(checkProduct(config)).toEqual([]);
});

test("every plan of app/product/config.ts that isn't retired is offered, with a price or free", () => {
  for (const interval of intervals) {
    const offers = offersOf(own, readGate(own, undefined), interval, allOnSale);
    const plans = own.plans.filter(isOffered);
    expect(offers.map(({ id, price }) => [id, price === null])).toEqual(
      plans.map(({ id, prices }) => [id, prices === null]),
    );
  }
});
