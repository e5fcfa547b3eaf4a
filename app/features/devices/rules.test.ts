import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SubscriptionState } from "#app/modules/billing/subscriptions/rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { deviceEntitlementOf } from "./entitlement.rules.ts";
import { activationsPerSeat, activationWindowMs, checkSeat } from "./rules.ts";

describe("a seat", () => {
  test("is free while fewer seats are used than the plan has", () => {
    expect(checkSeat({ seats: 3, used: 2, recent: [] })).toBeNull();
    expect(checkSeat({ seats: 3, used: 3, recent: [] })).toEqual({ reason: "seats-full", used: 3, seats: 3 });
    expect(checkSeat({ seats: 1, used: 3, recent: [] })).toEqual({ reason: "seats-full", used: 3, seats: 1 });
  });

  test("that was reassigned too often is free again once few enough activations are within the window", () => {
    const times = fc.array(fc.nat(activationWindowMs - 1), { maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), times, (seats, unordered) => {
        const recent = unordered.toSorted((left, right) => left - right);
        const refusal = checkSeat({ seats, used: 0, recent });
        const withinAt = (now: number) => recent.filter((at) => at > now - activationWindowMs).length;
        const max = activationsPerSeat * seats;
        expect(refusal === null).toBe(recent.length < max);
        if (refusal === null) return;
        if (refusal.reason !== "activations-used-up") throw new Error("not refused");
        expect(withinAt(refusal.retryAt)).toBeLessThan(max);
        expect(withinAt(refusal.retryAt - 1)).toBeGreaterThanOrEqual(max);
      }),
    );
  });
});

describe("the entitlement of a device", () => {
  const golden = { id: "golden", name: "", tagline: "", prices: {}, limits: { devices: 3, songs: 1 }, points: [] };
  const config: ProductConfig = { ...product, plans: [golden] };
  const entitled = (planId: string | null, subscriptionState: SubscriptionState | null, seatsUsed: number) =>
    deviceEntitlementOf(config, { accountId: "acc_1", deviceId: "dev_1", planId, subscriptionState, seatsUsed });

  test.each([
    ["active", "active", 3],
    ["grace", "past-due-grace", 3],
    ["over-limit", "active", 4],
    ["over-limit", "past-due-grace", 4],
    ["locked", "past-due-locked", 4],
  ] as const)("is %s, the most severe of several", (state, subscriptionState, seatsUsed) => {
    expect(entitled("golden", subscriptionState, seatsUsed)).toMatchObject({
      device: "dev_1",
      state,
      seats: { used: seatsUsed, of: 3 },
    });
  });

  test.each([0, 3])("has no seats without a plan, of which %i are used", (seatsUsed) => {
    expect(entitled(null, null, seatsUsed)).toMatchObject({
      plan: null,
      limits: { devices: 0, songs: 0 },
      state: "ended",
      access: "none",
      seats: { used: seatsUsed, of: 0 },
    });
  });
});
