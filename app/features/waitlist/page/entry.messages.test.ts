import { expect, test } from "vitest";
import { waitlistEntryMessages } from "./entry.messages.ts";

const { friends, movement, aheadAndBehind, place } = waitlistEntryMessages.en;

test("people in the queue are counted as their reader writes numbers", () => {
  expect([place(12_345, "en"), place(12_345, "de")]).toEqual([
    expect.stringContaining("12,345"),
    expect.stringContaining("12.345"),
  ]);
  expect(aheadAndBehind({ ahead: 12_345, behind: 54_321 }, "de")).toMatch(/12\.345.*54\.321/);
  expect(movement.ahead(-1_234, "de")).toContain("1.234");
});

test("an empty side of the queue isn't counted", () => {
  const texts = [
    { ahead: 0, behind: 0 },
    { ahead: 0, behind: 1 },
    { ahead: 2, behind: 0 },
  ].map((sides) => aheadAndBehind(sides, "en"));
  expect(new Set(texts).size).toBe(3);
  expect(texts.map((text) => text.match(/\d+/g))).toEqual([null, ["1"], ["2"]]);
});

test("a friend moves one up by one place or several", () => {
  expect(friends.text(5)).toContain("5");
  expect(friends.text(1)).not.toBe(friends.text(5).replace("5", "1"));
});
