import { expect, test } from "vitest";
import { dayMs, hourMs } from "#app/core/time/time.ts";
import { explanationMessages } from "./explanations.messages.ts";
import { sayLateStart } from "./say-late-start.ts";

const startsAt = Date.UTC(2026, 10, 15);
const line = {
  position: 0,
  description: "",
  amountMinor: 600,
  periodStartsAt: startsAt,
  periodEndsAt: startsAt + 30 * dayMs,
};

test("a first payment that took days explains why its period began earlier", () => {
  const { lateStart } = explanationMessages.en;
  expect(sayLateStart({ kind: "new-plan", paidAt: startsAt + 5 * dayMs }, [line])).toBe(lateStart);
  expect(sayLateStart({ kind: "new-plan", paidAt: startsAt + hourMs }, [line])).toBeNull();
  expect(sayLateStart({ kind: "renewal", paidAt: startsAt + 5 * dayMs }, [line])).toBeNull();
  expect(sayLateStart({ kind: "new-plan", paidAt: null }, [line])).toBeNull();
  expect(sayLateStart({ kind: "new-plan", paidAt: startsAt + 5 * dayMs }, [])).toBeNull();
});
