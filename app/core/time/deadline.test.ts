import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startDeadline } from "./deadline.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a deadline is over after its time, and not before", async () => {
  const said: string[] = [];
  const deadline = startDeadline(1_000);
  void deadline.over.then((word) => said.push(word));
  await vi.advanceTimersByTimeAsync(999);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(said).toEqual(["over"]);
});

test("one that was stopped leaves no timer behind", () => {
  const deadline = startDeadline(1_000);
  expect(vi.getTimerCount()).toBe(1);
  deadline.stop();
  expect(vi.getTimerCount()).toBe(0);
});
