import { describe, expect, test } from "vitest";
import { checkChange, pointsLost, deferralMs, timeChange } from "./change.rules.ts";
import type { Subscription } from "./rules.ts";

const rankOf = (planId: string) => ["free", "small", "large"].indexOf(planId);

describe("a change of plan", () => {
  test.each([
    ["small month", "large month", "now"],
    ["small month", "small year", "now"],
    ["small month", "large year", "now"],
    ["small year", "large year", "now"],
    ["large month", "small month", "at-period-end"],
    ["large year", "small year", "at-period-end"],
    ["large month", "small year", "at-period-end"],
    ["small year", "small month", "at-period-end"],
    ["small year", "large month", "at-period-end"],
    ["large year", "small month", "at-period-end"],
    ["small month", "small month", null],
    ["large year", "large year", null],
  ])("from %s to %s begins %s", (from, to, timing) => {
    expect(timeChange(sold(from), sold(to), rankOf)).toBe(timing);
  });

  test("is refused while a payment is due, and for a plan that is paused or ends", () => {
    const running = aSubscription({});
    expect(checkChange(running, "now", 0)).toBeNull();
    expect(checkChange(aSubscription({ state: "past-due-grace" }), "now", 0)).toEqual({ reason: "payment-due" });
    expect(checkChange(aSubscription({ state: "past-due-locked" }), "at-period-end", 0)).toEqual({
      reason: "payment-due",
    });
    expect(checkChange(aSubscription({ state: "paused" }), "now", 0)).toEqual({ reason: "plan-paused" });
    const disputed = aSubscription({ state: "paused", pauseCause: "disputed" });
    expect(checkChange(disputed, "now", 0)).toEqual({ reason: "plan-disputed" });
    expect(checkChange(aSubscription({ cancelsAt: 9 }), "now", 0)).toEqual({ reason: "plan-ends", endsAt: 9 });
  });

  test("is refused while the team has paused the collection", () => {
    const held = aSubscription({ collection: "on-hold" });
    for (const timing of ["now", "at-period-end"] as const) {
      expect(checkChange(held, timing, 0)).toEqual({ reason: "charges-on-hold" });
    }
    expect(checkChange({ ...held, pendingPlanId: "small" }, null, 0)).toBeNull();
  });

  test("that is immediate is refused within a day before a scheduled one; a scheduled change isn't", () => {
    const planned = aSubscription({ pendingPlanId: "small", pendingAt: 10 * deferralMs });
    expect(checkChange(planned, "now", 9 * deferralMs)).toBeNull();
    expect(checkChange(planned, "now", 9 * deferralMs + 1)).toEqual({
      reason: "change-begins",
      beginsAt: 10 * deferralMs,
    });
    expect(checkChange(planned, "at-period-end", 9 * deferralMs + 1)).toBeNull();
  });

  test("to the running plan is refused, unless another plan was scheduled", () => {
    expect(checkChange(aSubscription({}), null, 0)).toEqual({ reason: "same-plan" });
    expect(checkChange(aSubscription({ pendingPlanId: "small" }), null, 0)).toBeNull();
  });
});

test("the lost features are those that the other plan doesn't list in the same words", () => {
  const large = { points: ["10 devices", "Every version", "Support by phone"] };
  const small = { points: ["3 devices", "Every version"] };
  expect(pointsLost(large, small)).toEqual(["10 devices", "Support by phone"]);
  expect(pointsLost(small, small)).toEqual([]);
});

function sold(text: string) {
  const [planId = "", interval] = text.split(" ");
  return { planId, interval: interval === "year" ? ("year" as const) : ("month" as const) };
}

function aSubscription(facts: Partial<Subscription>): Subscription {
  return {
    id: "sub_1",
    state: "active",
    planId: "large",
    interval: "month",
    amountMinor: 1500,
    currency: "EUR",
    cardBrand: null,
    pauseCause: null,
    trialEndsAt: null,
    endCause: null,
    refundOwedMinor: 0,
    cardLast4: null,
    cardExpires: null,
    pendingPlanId: null,
    pendingInterval: null,
    pendingAt: null,
    pendingMinor: null,
    startedAt: 0,
    periodEndsAt: 1000,
    cancelsAt: null,
    endsByNotice: false,
    pastDueSince: null,
    endedAt: null,
    collection: "automatic",
    comingMinor: null,
    comingAt: null,
    renewalMinor: null,
    ...facts,
  };
}
