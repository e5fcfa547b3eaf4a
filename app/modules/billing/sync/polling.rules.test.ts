import { expect, test } from "vitest";
import { inTurns } from "./polling.rules.ts";

test("lists of any length get their turns", () => {
  expect(inTurns([])).toEqual([]);
  expect(inTurns([[], [1, 2, 3, 4], [5], [6, 7]])).toEqual([1, 5, 6, 2, 7, 3, 4]);
});
