import { expect, test } from "vitest";
import { endsAt } from "./say-running.ts";

const [now, cancelsAt, noticeEndsAt, periodEndsAt] = [1, 2, 3, 4];

test.each([
  ["when it was cancelled to", { state: "active", cancelsAt }, noticeEndsAt, cancelsAt],
  ["with a month's notice, if it is cancelled now", { state: "active", cancelsAt: null }, noticeEndsAt, noticeEndsAt],
  ["with its period, if it is cancelled now", { state: "active", cancelsAt: null }, null, periodEndsAt],
  ["at once, if it is locked", { state: "past-due-locked", cancelsAt: null }, null, now],
] as const)("a plan ends %s", (_when, plan, notice, expected) => {
  expect(endsAt({ ...plan, periodEndsAt }, { noticeEndsAt: notice, now })).toBe(expected);
});
