import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { commentLengthMax, reasonsToCancel } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { planForm } from "./form.ts";

describe("an answer to why a plan was cancelled", () => {
  const problemsOf = (fields: object) => {
    const parsed = v.safeParse(planForm, { intent: "give-reason", ...fields });
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
