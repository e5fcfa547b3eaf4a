import { describe, expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import { providerQuotas, roomAt } from "./provider-quota.rules.ts";

const now = 1_000_000_000;
const used = (count: number, agoMs: number) => Array.from({ length: count }, () => now - agoMs);

describe("a quota has room again", () => {
  test.each([
    ["at once, while each limit has room", used(9, 0), 0],
    ["a minute after the tenth call of a minute", used(10, 20_000), 40_000],
    ["an hour after the sixtieth call of an hour", used(60, 20 * minuteMs), 40 * minuteMs],
    ["when the later of both is over", [...used(10, 20_000), ...used(50, 20 * minuteMs)], 40 * minuteMs],
    ["as the newest calls count, in any order", [...used(5, 50_000), ...used(10, 10_000)], 50_000],
  ])("%s", (_, usedAts, waitMs) => {
    expect(roomAt(usedAts, providerQuotas["payment-page"], now) - now).toBe(waitMs);
  });
});
