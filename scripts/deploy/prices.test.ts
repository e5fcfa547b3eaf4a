import { expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { changedPrices, type SoldPrices } from "./prices.ts";

const config: ProductConfig = product;
const sold: SoldPrices[] = config.plans.map(({ id, prices }) => ({ plan_id: id, prices: JSON.stringify(prices) }));
const dearer: ProductConfig = {
  ...config,
  plans: config.plans.map((plan) =>
    plan.id === small.id ? { ...plan, prices: { ...plan.prices, month: { amountMinor: minor(small) + 1 } } } : plan,
  ),
};

test("prices that the running version sells haven't changed, and one with another amount has", () => {
  expect(changedPrices(config, sold)).toEqual([]);
  expect(changedPrices(dearer, sold)).toEqual([`${small.id}_month`]);
});

test("a plan or interval that the running version doesn't sell has changed", () => {
  const without = sold.filter(({ plan_id: id }) => id !== small.id);
  expect(changedPrices(config, without)).toEqual([`${small.id}_month`, `${small.id}_year`]);
  const monthly = { plan_id: small.id, prices: JSON.stringify({ month: { amountMinor: minor(small) } }) };
  expect(changedPrices(config, [...without, monthly])).toEqual([`${small.id}_year`]);
  expect(changedPrices(config, [...without, { plan_id: small.id, prices: null }])).toHaveLength(2);
});

test("nothing is known of a version that never ran", () => {
  expect(changedPrices(config, [])).toEqual([]);
});
