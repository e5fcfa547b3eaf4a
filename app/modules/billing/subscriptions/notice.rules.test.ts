import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { noticeEndsAt } from "./notice.rules.ts";
import { endOfPeriod } from "./periods.rules.ts";

const monthNotice = { afterFirstTerm: "month-notice" } as const;
const now = Date.UTC(2027, 0, 31, 12);
const periodEndsAt = Date.UTC(2027, 10, 20, 12);
const renewed = { renewedUntil: periodEndsAt, now };

describe("a yearly plan that is cancelled", () => {
  const yearly = { interval: "year", periodEndsAt } as const;

  test("in a renewed year ends at most a month later, also where a month has no such day", () => {
    expect(noticeEndsAt(yearly, monthNotice, renewed)).toBe(Date.UTC(2027, 1, 28, 12));
    // In the year's last month it ends with the year.
    expect(noticeEndsAt(yearly, monthNotice, { ...renewed, now: periodEndsAt - 28 * dayMs })).toBeNull();
  });

  test("ends with its period in the first term, in one that a change began, by the month, and if the config says another term", () => {
    expect(noticeEndsAt(yearly, monthNotice, { ...renewed, renewedUntil: null })).toBeNull();
    expect(noticeEndsAt(yearly, monthNotice, { ...renewed, renewedUntil: periodEndsAt - 30 * dayMs })).toBeNull();
    expect(noticeEndsAt({ ...yearly, interval: "month" }, monthNotice, renewed)).toBeNull();
    expect(noticeEndsAt(yearly, { afterFirstTerm: "another-term" }, renewed)).toBeNull();
  });

  test("with a notice that is over by now ends a minute from now", () => {
    expect(noticeEndsAt(yearly, monthNotice, { ...renewed, declaredAt: now - 60 * dayMs })).toBe(now + minuteMs);
  });

  test("to a later day ends no earlier, and with its period at the latest", () => {
    const wantedAt = Date.UTC(2027, 5, 30);
    expect(noticeEndsAt(yearly, monthNotice, { ...renewed, wantedAt })).toBe(wantedAt);
    expect(noticeEndsAt(yearly, monthNotice, { ...renewed, wantedAt: periodEndsAt + dayMs })).toBeNull();
  });

  test("never ends later than a month from then, nor than its period, and lasts for at least 28 days if it ends before", () => {
    const anyTime = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2032, 0, 1) });
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 1, max: 366 * dayMs }), (at, left) => {
        const running = { interval: "year" as const, periodEndsAt: at + left };
        const end = noticeEndsAt(running, monthNotice, { renewedUntil: at + left, now: at });
        if (end === null) {
          expect(left).toBeLessThanOrEqual(31 * dayMs + 1000);
          return;
        }
        expect(end).toBeLessThanOrEqual(endOfPeriod(at, "month"));
        expect(end).toBeLessThan(running.periodEndsAt);
        expect(end - at).toBeGreaterThan(28 * dayMs - 1000);
        expect(end % 1000).toBe(0);
      }),
    );
  });
});
