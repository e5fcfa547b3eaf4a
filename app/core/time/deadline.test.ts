import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startDeadline } from "./deadline.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a deadline expires after its time, and not before", async () => {
  const seen: string[] = [];
  const deadline = startDeadline(1_000);
  void deadline.over.then((word) => seen.push(word));
  await vi.advanceTimersByTimeAsync(999);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(["over"]);
});

test("a stopped deadline leaves no timer running", () => {
  const deadline = startDeadline(1_000);
  expect(vi.getTimerCount()).toBe(1);
  deadline.stop();
  expect(vi.getTimerCount()).toBe(0);
});
