import { expect, test } from "vitest";
import { eventTriesMax, eventWaitAtMostMs, eventWaitMs, listOverlapMs, nextJobCursor } from "./inbox.rules.ts";

const at = (createdAt: number) => ({ id: `evt_${createdAt}`, createdAt });

test("the list of events is next read from before the newest ones, since others may still arrive among them", () => {
  const late = listOverlapMs * 2;
  expect(nextJobCursor([], false)).toBeNull();
  expect(nextJobCursor([at(0), at(1), at(late)], false)).toBe("evt_1");
  expect(nextJobCursor([at(0), at(listOverlapMs), at(late)], false)).toBe(`evt_${listOverlapMs}`);
  expect(nextJobCursor([at(late - 1), at(late)], false)).toBeNull();
});

test("if there are more events than one run reads, the next run continues after the last one", () => {
  expect(nextJobCursor([at(1), at(2)], true)).toBe("evt_2");
});

test("an event is retried for about two days", () => {
  const waits = Array.from({ length: eventTriesMax }, (_, tries) =>
    Math.min(eventWaitAtMostMs, eventWaitMs * 2 ** tries),
  );
  const days = waits.reduce((sum, wait) => sum + wait, 0) / 86_400_000;
  expect(Math.round(days)).toBe(2);
});
