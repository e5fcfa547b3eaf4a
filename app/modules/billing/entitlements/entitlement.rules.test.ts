import { describe, expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import type { SubscriptionState } from "../subscriptions/rules.ts";
import { entitlementOf, entitlementState, entitlementTimes } from "./entitlement.rules.ts";

const golden = { id: "golden", name: "", tagline: "", prices: {}, limits: { boats: 3, songs: 1 }, points: [] };
const config: ProductConfig = { ...product, plans: [golden] };
const locked = { hasAccess: false, needsPayment: true };
const grace = { hasAccess: true, needsPayment: true };

describe("the state of an entitlement", () => {
  test.each([
    ["active", null, false],
    ["active", { hasAccess: true, needsPayment: false }, false],
    ["grace", grace, false],
    ["over-limit", null, true],
    ["over-limit", grace, true],
    ["locked", locked, false],
    ["locked", locked, true],
  ])("is %s, the most severe of several", (state, policy, isOverLimit) => {
    expect(entitlementState(golden, policy, isOverLimit)).toBe(state);
  });

  test.each([
    [null, false],
    [null, true],
    [locked, false],
  ])("is ended without a plan, whatever else applies", (policy, isOverLimit) => {
    expect(entitlementState(null, policy, isOverLimit)).toBe("ended");
  });
});

describe("an entitlement", () => {
  const entitled = (planId: string | null, subscriptionState: SubscriptionState | null, boats: number) =>
    entitlementOf(config, { accountId: "acc_1", planId, subscriptionState, counted: { boats } });

  test("allows what the plan does, as long as nothing is counted beyond it", () => {
    const allowed = { sub: "acc_1", plan: "golden", limits: golden.limits, access: "full" };
    expect(entitled("golden", "active", 3)).toEqual({ ...allowed, state: "active" });
    expect(entitled("golden", "active", 4)).toEqual({ ...allowed, state: "over-limit" });
  });

  test("allows nothing without a plan", () => {
    const nothing = { sub: "acc_1", plan: null, limits: { boats: 0, songs: 0 }, state: "ended", access: "none" };
    for (const boats of [0, 3]) expect(entitled(null, null, boats)).toEqual(nothing);
  });

  test("gives full access, or read access to a locked plan", () => {
    const accessOf = (state: SubscriptionState) => entitled("golden", state, 1).access;
    expect([accessOf("active"), accessOf("past-due-grace"), accessOf("past-due-locked")]).toEqual([
      "full",
      "full",
      "read",
    ]);
  });

  test("is valid for a day and refreshed after an hour, both in whole seconds", () => {
    const now = Date.UTC(2026, 10, 20, 12, 0, 0, 999);
    const iat = Date.UTC(2026, 10, 20, 12) / 1000;
    expect(entitlementTimes(now)).toEqual({ iat, exp: iat + 86_400, refreshAt: iat + 3_600 });
  });
});
