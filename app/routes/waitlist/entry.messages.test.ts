import { expect, test } from "vitest";
import { waitlistEntryMessages } from "./entry.messages.ts";

const { friends, movement, aheadAndBehind, place } = waitlistEntryMessages.en;

test("people in the queue are counted as their reader writes numbers", () => {
  expect([place(12_345, "en"), place(12_345, "de")]).toEqual(["#12,345", "#12.345"]);
  expect([
    aheadAndBehind({ ahead: 1, behind: 1 }, "en"),
    aheadAndBehind({ ahead: 12_345, behind: 12_345 }, "de"),
  ]).toEqual(["1 person is ahead of you, 1 behind.", "12.345 people are ahead of you, 12.345 behind."]);
  expect(movement.ahead(-1_234, "de")).toBe("1.234 fewer people are ahead of you.");
});

test("an empty side of the queue isn't counted", () => {
  expect([aheadAndBehind({ ahead: 0, behind: 0 }, "en"), aheadAndBehind({ ahead: 0, behind: 1 }, "en")]).toEqual([
    "You're first in the queue.",
    "You're first in the queue, with 1 person behind you.",
  ]);
  expect(aheadAndBehind({ ahead: 2, behind: 0 }, "en")).toBe("2 people are ahead of you.");
});

test("a friend moves one up by one place or several", () => {
  expect([friends.text(1), friends.text(5)]).toEqual([
    expect.stringContaining("move up 1 place for each friend"),
    expect.stringContaining("move up by up to 5 places for each friend"),
  ]);
});
