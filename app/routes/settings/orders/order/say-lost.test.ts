import { expect, test } from "vitest";
import { dayMs, formatDay, hourMs } from "#app/core/time/time.ts";
import { explanationMessages } from "./messages.ts";
import { sayLateStart } from "./say-lost.ts";

const startsAt = Date.UTC(2026, 10, 15);
const line = {
  position: 0,
  description: "",
  amountMinor: 600,
  periodStartsAt: startsAt,
  periodEndsAt: startsAt + 30 * dayMs,
};

test("a first payment that took days explains why its period began earlier", () => {
  const reader = { locale: "en-GB", timeZone: "Europe/Berlin" };
  const say = (order: Parameters<typeof sayLateStart>[0], lines = [line]) => sayLateStart(order, lines, reader);
  const paidAt = startsAt + 5 * dayMs;
  expect(say({ kind: "new-plan", paidAt })).toBe(
    explanationMessages.en.lateStart(formatDay(startsAt, reader), formatDay(paidAt, reader)),
  );
  expect(say({ kind: "new-plan", paidAt: startsAt + hourMs })).toBeNull();
  expect(say({ kind: "renewal", paidAt: startsAt + 5 * dayMs })).toBeNull();
  expect(say({ kind: "new-plan", paidAt: null })).toBeNull();
  expect(say({ kind: "new-plan", paidAt: startsAt + 5 * dayMs }, [])).toBeNull();
});
