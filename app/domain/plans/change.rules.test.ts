import { describe, expect, test } from "vitest";
import { judgeChange, pointsLost, timeChange } from "./change.rules.ts";
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

  test("is refused while a payment is due, and of a plan that ends", () => {
    const running = aSubscription({});
    expect(judgeChange(running, "now")).toBeNull();
    expect(judgeChange(aSubscription({ state: "past-due-grace" }), "now")).toEqual({ reason: "payment-due" });
    expect(judgeChange(aSubscription({ state: "past-due-locked" }), "at-period-end")).toEqual({
      reason: "payment-due",
    });
    expect(judgeChange(aSubscription({ cancelsAt: 9 }), "now")).toEqual({ reason: "plan-ends", endsAt: 9 });
  });

  test("to what runs already is none, unless something else was to begin", () => {
    expect(judgeChange(aSubscription({}), null)).toEqual({ reason: "same-plan" });
    expect(judgeChange(aSubscription({ pendingPlanId: "small" }), null)).toBeNull();
  });
});

test("what goes with a plan is what the other one doesn't promise in the same words", () => {
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
    cardLast4: null,
    cardExpires: null,
    pendingPlanId: null,
    pendingInterval: null,
    pendingAt: null,
    startedAt: 0,
    periodEndsAt: 1000,
    cancelsAt: null,
    pastDueSince: null,
    endedAt: null,
    ...facts,
  };
}
