import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  asksForReason,
  reasonsToCancel,
  commentLengthMax,
  reasonForm,
  reasonTakenMs,
} from "./cancellation-reasons.rules.ts";

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

describe("an answer", () => {
  const problemsOf = (fields: object) => {
    const parsed = v.safeParse(reasonForm, { intent: "give-reason", ...fields });
    return parsed.success ? parsed.output : parsed.issues.map(({ message }) => message);
  };

  test("is one of the reasons, with or without a comment", () => {
    for (const reason of reasonsToCancel) expect(problemsOf({ reason })).toMatchObject({ reason, comment: "" });
    expect(problemsOf({ reason: "nothing-else" })).toEqual(["reason-missing"]);
  });

  test("may have a comment of several lines, each line break counted once", () => {
    const lines = `${"x".repeat(commentLengthMax - 2)}\r\ny`;
    expect(problemsOf({ reason: "other", comment: ` ${lines}\r\n` })).toMatchObject({
      comment: lines.replace("\r", ""),
    });
    expect(problemsOf({ reason: "other", comment: `${lines}z` })).toEqual(["comment-too-long"]);
    expect(problemsOf({ reason: "other", comment: "a\u0000b" })).toEqual(["comment-malformed"]);
  });
});
