import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { afterProof } from "./after-proof.rules.ts";
import type { ProductConfig } from "./rules.ts";

const withFree: ProductConfig = product;
const paidOnly: ProductConfig = { ...withFree, plans: withFree.plans.filter(({ prices }) => prices !== null) };
const isNew = { isNew: true };

describe("after an address is proven", () => {
  test.each([
    ["a new account goes to its settings", withFree, {}, isNew, "/settings"],
    ["a new account of a product without a free plan chooses a plan", paidOnly, {}, isNew, "/settings/upgrade"],
    ["an account that was there before goes to its settings", paidOnly, {}, { isNew: false }, "/settings"],
    ["where somebody came from counts first", paidOnly, { redirectTo: "/settings/orders" }, isNew, "/settings/orders"],
    [
      "a chosen plan counts more than both",
      paidOnly,
      { planId: small.id, interval: "year", redirectTo: "/settings/orders" },
      isNew,
      `/settings/upgrade?plan=${small.id}&interval=year`,
    ],
    [
      "a form that waited is named",
      paidOnly,
      { redirectTo: "/settings/security#address", typed: {} },
      { isNew: false, requestId: "req_1" as const },
      "/settings/security?continue=req_1#address",
    ],
  ])("%s", (_, config, carried, proven, path) => {
    expect(afterProof(config, carried, proven)).toBe(path);
  });
});
