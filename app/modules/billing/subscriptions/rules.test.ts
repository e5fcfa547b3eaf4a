import { describe, expect, test } from "vitest";
import { subscriptionStatuses } from "#app/core/stripe/states.ts";
import { graceMs, isGraceSpent, isLockedAtOnce, policies, stateOf, unpaidGraceWindowMs } from "./rules.ts";

const since = 1_000 * unpaidGraceWindowMs;
const unpaid = { billingReason: "renewal", state: "void", attempts: 1, createdAt: since - 1 } as const;

describe("the grace after a renewal that failed", () => {
  test.each([
    ["no earlier renewal", null, false],
    ["an earlier one that was given up", unpaid, true],
    ["an earlier one that is still open", { ...unpaid, state: "open" }, true],
    ["an earlier one that was paid", { ...unpaid, state: "paid" }, false],
    ["one that was invoiced and never requested", { ...unpaid, attempts: 0 }, false],
    ["a change that was never paid", { ...unpaid, billingReason: "change" }, false],
    ["the renewal itself", { ...unpaid, createdAt: since }, false],
    ["one at the end of the window", { ...unpaid, createdAt: since - unpaidGraceWindowMs + 1 }, true],
    ["one a moment before the window", { ...unpaid, createdAt: since - unpaidGraceWindowMs }, false],
  ] as const)("with %s", (_, invoice, isSpent) => {
    expect(isGraceSpent(invoice ? [invoice] : [], since)).toBe(isSpent);
  });

  test("that is spent locks the plan immediately, and only a plan that is past due", () => {
    expect(stateOf("past_due", since, since, false)).toBe("past-due-grace");
    expect(stateOf("past_due", since, since, true)).toBe("past-due-locked");
    expect(stateOf("active", null, since, true)).toBe("active");
  });

  test("ends exactly when its time is over, and the plan is locked", () => {
    expect(stateOf("past_due", since, since + graceMs - 1)).toBe("past-due-grace");
    expect(stateOf("past_due", since, since + graceMs)).toBe("past-due-locked");
  });

  test("is distinguished from an expired one", () => {
    const locked = { state: "past-due-locked", pastDueSince: since } as const;
    expect(isLockedAtOnce(locked, since + graceMs - 1)).toBe(true);
    expect(isLockedAtOnce(locked, since + graceMs)).toBe(false);
    expect(isLockedAtOnce({ ...locked, state: "past-due-grace" }, since)).toBe(false);
  });
});

test("each of Stripe's statuses maps to a state of ours, and only paid plans and those in grace give access", () => {
  const states = subscriptionStatuses.map((status) => stateOf(status, null, since));
  expect(states).toEqual(["active", "active", "past-due-grace", "unpaid", "paused", "incomplete", "ended", "ended"]);
  const withAccess = Object.entries(policies).flatMap(([state, { hasAccess }]) => (hasAccess ? [state] : []));
  expect(withAccess).toEqual(["active", "past-due-grace"]);
});
