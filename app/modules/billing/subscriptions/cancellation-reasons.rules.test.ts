import { describe, expect, test } from "vitest";
import { asksForReason, reasonTakenMs } from "./cancellation-reasons.rules.ts";

const now = 1_800_000_000_000;

describe("the question why a plan was cancelled", () => {
  test.each([
    ["of a plan that renews", { cancelsAt: null, endedAt: null, endCause: null }, false],
    ["of a plan that ends with its period", { cancelsAt: now + 1, endedAt: null, endCause: null }, true],
    ["of a plan that ended just now", { cancelsAt: null, endedAt: now, endCause: null }, true],
    ["of a plan that ended at the edge", { cancelsAt: null, endedAt: now - reasonTakenMs + 1, endCause: null }, true],
    ["of a plan whose payment failed", { cancelsAt: null, endedAt: now, endCause: "payment-failed" as const }, false],
    [
      "of a plan that ended too long ago",
      { cancelsAt: now - reasonTakenMs, endedAt: now - reasonTakenMs, endCause: null },
      false,
    ],
  ])("%s", (_of, facts, isAsked) => {
    expect(asksForReason(facts, now)).toBe(isAsked);
  });
});
