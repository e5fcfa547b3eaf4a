import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { settingsMessages } from "../settings/messages.ts";
import { loginMessages } from "./messages.ts";
import { sayWhy } from "./say-why.ts";

const site = { product, gate: { kind: "none" } } as const;
const { toContinue, toContinueTo } = loginMessages.en;
const { orders, plan } = settingsMessages.en;

test.each([
  [null, null],
  ["/settings", null],
  ["/settings/orders", toContinueTo(orders)],
  ["/settings/orders/ord_0123?year=2026", toContinueTo(orders)],
  [segmentPath(product, "plan"), toContinueTo(plan)],
  ["/settings/upgrade?plan=any", toContinue],
  ["/payment/success?order=ord_0123", toContinue],
])("a visitor sent from %s sees why", (redirectTo, why) => {
  expect(sayWhy(site, redirectTo)).toBe(why);
});
