import { expect, test } from "vitest";
import { waitlistEntryMessages } from "./entry.messages.ts";

const { ahead, behind, movement, place } = waitlistEntryMessages.en;

test("people in the queue are counted as their reader writes numbers", () => {
  expect([place(12_345, "en"), place(12_345, "de")]).toEqual(["#12,345", "#12.345"]);
  expect([ahead(1, "en"), ahead(12_345, "en")]).toEqual([
    "1 person is ahead of you.",
    "12,345 people are ahead of you.",
  ]);
  expect([behind(1, "en"), behind(12_345, "de")]).toEqual(["1 person is behind you.", "12.345 people are behind you."]);
  expect(movement.ahead(-1_234, "de")).toBe("1.234 fewer people are ahead of you.");
});

test("an empty queue isn't counted", () => {
  expect([ahead(0, "en"), behind(0, "en")]).toEqual(["You're first in the queue.", ""]);
});
