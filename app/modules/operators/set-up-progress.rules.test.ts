import fc from "fast-check";
import { expect, test } from "vitest";
import { describeSetUpProgress, type SetUpFacts, type StepState } from "./set-up-progress.rules.ts";

const nothing: SetUpFacts = {
  stripe: "off",
  hasPrices: false,
  isEmailSent: false,
  isEmailRefused: false,
  hasSignedUp: false,
  order: null,
  hasDelivered: false,
};
const paid = { number: "2026-000001" };

/** Done, to do or a problem, as a letter for each step. */
function letters(facts: Partial<SetUpFacts>): string {
  const letter: Record<StepState, string> = { done: "d", "to-do": "t", problem: "p" };
  return describeSetUpProgress({ ...nothing, ...facts })
    .steps.map(({ state }) => letter[state])
    .join("");
}

test.each<[what: string, facts: Partial<SetUpFacts>, expected: string]>([
  ["nothing", {}, "tttttt"],
  ["a key without prices", { stripe: "test" }, "dptttt"],
  ["prices", { stripe: "test", hasPrices: true }, "ddtttt"],
  ["a refused email", { stripe: "test", hasPrices: true, isEmailRefused: true }, "ddtptt"],
  ["an account", { stripe: "test", hasPrices: true, isEmailSent: true, hasSignedUp: true }, "ddddtt"],
  ["a payment without an event", { stripe: "test", order: paid }, "dddddp"],
  ["a payment", { stripe: "test", order: paid, hasDelivered: true }, "dddddd"],
])("with %s", (_, facts, expected) => {
  expect(letters(facts)).toBe(expected);
});

test("it is complete with a payment and an event, and not before", () => {
  const facts = fc.record<SetUpFacts>({
    stripe: fc.constantFrom("off", "test", "live", "emulator"),
    hasPrices: fc.boolean(),
    isEmailSent: fc.boolean(),
    isEmailRefused: fc.boolean(),
    hasSignedUp: fc.boolean(),
    order: fc.constantFrom(null, paid),
    hasDelivered: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (each) => {
      const { isComplete, steps } = describeSetUpProgress(each);
      expect(isComplete).toBe(each.order !== null && each.hasDelivered);
      if (isComplete) expect(steps.filter(({ state }) => state === "problem")).toEqual([]);
    }),
  );
});
