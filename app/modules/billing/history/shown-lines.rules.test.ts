import { describe, expect, test } from "vitest";
import { linesOrPlan } from "./shown-lines.rules.ts";

const line = { position: 0, description: "Plan", periodStartsAt: null, periodEndsAt: null };

describe("the lines of an order", () => {
  test("are those of its invoice", () => {
    const lines = [{ ...line, description: "1 × Plan", amountMinor: 600, periodStartsAt: 1, periodEndsAt: 2 }];
    expect(linesOrPlan({ amountMinor: 600, discountMinor: 0, creditMinor: 0 }, lines, "Plan")).toBe(lines);
  });

  test.each([
    [{ amountMinor: 600, discountMinor: 0, creditMinor: 0 }, 600],
    [{ amountMinor: 0, discountMinor: 0, creditMinor: 600 }, 600],
    [{ amountMinor: 300, discountMinor: 200, creditMinor: 100 }, 600],
    [{ amountMinor: 630, discountMinor: 0, creditMinor: -30 }, 600],
  ])("are one for the plan before they are stored: with %j it costs %i", (order, amountMinor) => {
    expect(linesOrPlan(order, [], "Plan")).toEqual([{ ...line, amountMinor }]);
  });
});
