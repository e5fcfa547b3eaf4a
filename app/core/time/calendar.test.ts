import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf, spellDay, startOfDay } from "./calendar.ts";
import { dayMs, hourMs } from "./time.ts";

describe("a day", () => {
  test.each([
    ["Europe/Berlin", 2027, 1, 1, "2026-12-31T23:00:00.000Z"],
    ["America/New_York", 2027, 1, 1, "2027-01-01T05:00:00.000Z"],
    ["Asia/Kathmandu", 2027, 1, 1, "2026-12-31T18:15:00.000Z"],
    ["Pacific/Kiritimati", 2027, 1, 1, "2026-12-31T10:00:00.000Z"],
    ["Pacific/Pago_Pago", 2027, 1, 1, "2027-01-01T11:00:00.000Z"],
    // Clocks go forward at midnight, so the day starts at 01:00.
    ["America/Santiago", 2026, 9, 6, "2026-09-06T04:00:00.000Z"],
    // 30 December was skipped, so its start is the start of the 31st.
    ["Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00.000Z"],
    // Days past the end of a month overflow into the next one.
    ["UTC", 2026, 11, 35, "2026-12-05T00:00:00.000Z"],
    ["UTC", 2026, 12, 32, "2027-01-01T00:00:00.000Z"],
  ])("in %s, the day %i-%i-%i begins at its first moment there", (timeZone, year, month, day, first) => {
    expect(new Date(startOfDay({ year, month, day }, timeZone)).toISOString()).toBe(first);
  });

  test("begins directly after the previous day, in every zone and year", () => {
    const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Tokyo", "Pacific/Chatham", "America/Los_Angeles"];
    const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2060, 0, 1) });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (at, timeZone) => {
        const day = dayOf(at, timeZone);
        const start = startOfDay(day, timeZone);
        expect(spellDay(dayOf(start, timeZone))).toBe(spellDay(day));
        expect(spellDay(dayOf(start - 1, timeZone)) < spellDay(day)).toBe(true);
        expect(at - start).toBeGreaterThanOrEqual(0);
        expect(at - start).toBeLessThan(dayMs + 2 * hourMs);
      }),
    );
  });
});
