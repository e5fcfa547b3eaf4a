import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entitlementClaims, entitlementState, type EntitlementFacts } from "./entitlement.rules.ts";
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

describe("the state of an entitlement", () => {
  const plan = { planId: "golden", limits: { devices: 3, songs: 1 } };
  const locked = { hasAccess: false, needsPayment: true };
  const grace = { hasAccess: true, needsPayment: true };

  test.each([
    ["active", null, 3],
    ["active", { hasAccess: true, needsPayment: false }, 1],
    ["grace", grace, 3],
    ["over-limit", null, 4],
    ["over-limit", grace, 4],
    ["locked", locked, 1],
    ["locked", locked, 4],
  ])("is %s, the most severe of several", (state, policy, seatsUsed) => {
    expect(entitlementState({ ...plan, policy, seatsUsed })).toBe(state);
  });

  test.each([
    ["ended", null, 0],
    ["ended", null, 3],
    ["ended", locked, 0],
  ])("is %s without a plan, whatever else applies", (state, policy, seatsUsed) => {
    const nothing = { planId: null, limits: { devices: 0, songs: 0 }, policy, seatsUsed };
    expect(entitlementState(nothing)).toBe(state);
    expect(entitlementClaims({ ...nothing, accountId: "acc_1", deviceId: "dev_1" })).toMatchObject({
      plan: null,
      limits: { devices: 0, songs: 0 },
      state,
      access: "none",
      seats: { used: seatsUsed, of: 0 },
    });
  });

  test("gives full access, read access or none", () => {
    const accessOf = (policy: EntitlementFacts["policy"]) =>
      entitlementClaims({ ...plan, accountId: "acc_1", deviceId: "dev_1", policy, seatsUsed: 1 }).access;
    expect([accessOf(null), accessOf(grace), accessOf(locked)]).toEqual(["full", "full", "read"]);
  });
});
