import { describe, expect, test } from "vitest";
import { judgeChange, pointsLost, timeChange } from "./change.rules.ts";
import type { Subscription } from "./rules.ts";

const rankOf = (planId: string) => ["free", "personal", "studio"].indexOf(planId);

describe("a change of plan", () => {
  test.each([
    ["personal month", "studio month", "now"],
    ["personal month", "personal year", "now"],
    ["personal month", "studio year", "now"],
    ["personal year", "studio year", "now"],
    ["studio month", "personal month", "at-period-end"],
    ["studio year", "personal year", "at-period-end"],
    ["studio month", "personal year", "at-period-end"],
    ["personal year", "personal month", "at-period-end"],
    ["personal year", "studio month", "at-period-end"],
    ["studio year", "personal month", "at-period-end"],
    ["personal month", "personal month", null],
    ["studio year", "studio year", null],
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
    expect(judgeChange(aSubscription({ pendingPlanId: "personal" }), null)).toBeNull();
  });
});

test("what goes with a plan is what the other one doesn't promise in the same words", () => {
  const studio = { points: ["10 devices", "Every version", "Support by phone"] };
  const personal = { points: ["3 devices", "Every version"] };
  expect(pointsLost(studio, personal)).toEqual(["10 devices", "Support by phone"]);
  expect(pointsLost(personal, personal)).toEqual([]);
});

function sold(text: string) {
  const [planId = "", interval] = text.split(" ");
  return { planId, interval: interval === "year" ? ("year" as const) : ("month" as const) };
}

function aSubscription(facts: Partial<Subscription>): Subscription {
  return {
    id: "sub_1",
    state: "active",
    planId: "studio",
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
