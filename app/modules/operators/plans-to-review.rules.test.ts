import { expect, test } from "vitest";
import { endCauses, pauseCauses } from "#app/core/stripe/states.ts";
import { endListedMs, reviewOf } from "./plans-to-review.rules.ts";

const now = Date.UTC(2026, 10, 23);
const plan = {
  state: "active",
  pauseCause: null,
  endCause: null,
  endedAt: null,
  refundOwedMinor: 0,
  currency: "EUR",
} as const;

test("a plan that runs, or that its owner ended, isn't listed", () => {
  expect(reviewOf(plan, now)).toBeNull();
  expect(reviewOf({ ...plan, state: "ended", endedAt: now }, now)).toBeNull();
});

test.each(pauseCauses)("a plan that is paused (%s) is listed with what to do", (pauseCause) => {
  expect(reviewOf({ ...plan, state: "paused", pauseCause }, now)?.todo).not.toBe("");
});

test.each(endCauses)("a plan that ended otherwise than by its owner (%s) is listed for a month", (endCause) => {
  const ended = { ...plan, state: "ended", endCause } as const;
  expect(reviewOf({ ...ended, endedAt: now - endListedMs + 1 }, now)?.todo).not.toBe("");
  expect(reviewOf({ ...ended, endedAt: now - endListedMs }, now)).toBeNull();
});

test("one of which a refund is owed is listed with the amount, however long ago it ended", () => {
  const owed = { ...plan, state: "ended", endCause: "duplicate", endedAt: now - 2 * endListedMs } as const;
  expect(reviewOf({ ...owed, refundOwedMinor: 4800 }, now)?.todo).toContain("€48.00");
});
