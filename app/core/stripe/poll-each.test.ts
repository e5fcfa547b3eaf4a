import { describe, expect, test } from "vitest";
import { done, refused } from "../result.ts";
import { isAnswered, pollEach } from "./poll-each.ts";

type Answer = "answers" | "times out" | "throws";

async function polled(answers: Answer[]) {
  const [polls, reports]: [number[], unknown[]] = [[], []];
  const poll = (index: number) => {
    polls.push(index);
    return answers[index] === "throws"
      ? Promise.reject(new Error("broken"))
      : Promise.resolve(answers[index] === "answers");
  };
  const isWhole = await pollEach(answers.keys(), poll, (error) => reports.push(error));
  return { polls: polls.length, reports: reports.length, isWhole };
}

describe("polling Stripe", () => {
  test.each<[Answer[], Awaited<ReturnType<typeof polled>>]>([
    [[], { polls: 0, reports: 0, isWhole: true }],
    [["answers", "answers", "answers"], { polls: 3, reports: 0, isWhole: true }],
    [["times out", "times out", "answers"], { polls: 2, reports: 0, isWhole: false }],
    [["answers", "times out", "times out"], { polls: 3, reports: 0, isWhole: true }],
    [["times out", "answers", "times out", "answers"], { polls: 4, reports: 0, isWhole: true }],
    [["throws", "throws", "throws"], { polls: 3, reports: 3, isWhole: true }],
    [["times out", "throws", "times out", "answers"], { polls: 3, reports: 1, isWhole: false }],
  ])("returns for %j: %j", async (answers, expected) => {
    expect(await polled(answers)).toEqual(expected);
  });

  test("counts a refusal as an answer", () => {
    expect(isAnswered(done(null))).toBe(true);
    expect(isAnswered(refused({ reason: "provider-refused" }))).toBe(true);
    expect(isAnswered(refused({ reason: "provider-unreachable" }))).toBe(false);
  });
});
