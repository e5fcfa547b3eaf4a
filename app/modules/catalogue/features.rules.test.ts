import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { featuresOf } from "./features.rules.ts";
import type { ProductConfig } from "./rules.ts";

const config: ProductConfig = product;
const everything: ProductConfig = {
  ...config,
  referral: { ...config.referral, state: "open" },
  withdrawalDays: 14,
  afterFirstTerm: "another-term",
  duringDispute: "continue",
  cancellationPage: "on",
};

const all = { gate: true, referral: true, withdrawal: true, cancellation: true };

test.each<[string, Partial<ProductConfig>, object]>([
  ["has all pages with everything on", {}, {}],
  [
    "has no page to invite friends while referrals are off",
    { referral: { ...config.referral, state: "off" } },
    { referral: false },
  ],
  ["has no page to withdraw without a withdrawal period", { withdrawalDays: "off" }, { withdrawal: false }],
  ["has no page to cancel without signing in if it is off", { cancellationPage: "off" }, { cancellation: false }],
])("a product %s", (_what, changed, expected) => {
  expect(featuresOf({ ...everything, ...changed }, { kind: "signup" })).toEqual({ ...all, ...expected });
});

test("something is by invitation while the deployment's gate is shut", () => {
  expect(featuresOf(everything, { kind: "plan", planId: "any" }).gate).toBe(true);
  expect(featuresOf(everything, { kind: "none" }).gate).toBe(false);
});
