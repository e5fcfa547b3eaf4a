import { expect, test } from "vitest";
import { waitlistPlaceMessages } from "./place.messages.ts";

test("people in a line are counted as their reader writes numbers", () => {
  const { movement, people } = waitlistPlaceMessages.en;
  expect([1, 12_345].map((count) => people(count, "en"))).toEqual(["1 person", "12,345 people"]);
  expect([people(12_345, "de"), movement.ahead(-1_234, "de")]).toEqual([
    "12.345 people",
    "1.234 fewer people are ahead of you.",
  ]);
});
