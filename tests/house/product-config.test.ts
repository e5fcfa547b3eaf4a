import { expect, test } from "vitest";
import { judgeConfig } from "#app/domain/product/config.rules.ts";
import { offersOf } from "#app/domain/product/offers.rules.ts";
import { intervals, isOffered, readGate } from "#app/domain/product/rules.ts";
import { product as fixed } from "#app/product.config.ts";
import { product as own } from "../../app/product.config.ts";

test.each([
  ["app/product.config.ts", own],
  ["the product that tests run on", fixed],
])("%s contains nothing that can't be shown, charged or read", (_name, config) => {
  expect(judgeConfig(config)).toEqual([]);
});

test("every plan of app/product.config.ts that isn't retired is offered, with a price or for nothing", () => {
  for (const interval of intervals) {
    const offers = offersOf(own, readGate(own, undefined), interval, true);
    const plans = own.plans.filter(isOffered);
    expect(offers.map(({ id, price }) => [id, price === null])).toEqual(
      plans.map(({ id, prices }) => [id, prices === null]),
    );
  }
});
