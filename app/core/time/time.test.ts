import { describe, expect, test } from "vitest";
import { locales } from "#app/modules/accounts/rules.ts";
import { formatDay, formatExactly, formatMoment, formatMonth, spellInstants } from "./time.ts";

describe("a moment", () => {
  const at = Date.UTC(2026, 10, 20, 13, 30);

  test.each(locales)(
    "has no locale-specific word between day and time, so that it fits into any sentence: %s",
    (locale) => {
      const reader = { locale, timeZone: "Europe/Berlin" };
      const time = locale === "en-US" ? "2:30\u00a0PM" : "14:30";
      expect(formatMoment(at, reader)).toBe(`${formatDay(at, reader)}, ${time}`);
      expect(`${formatMoment(at, reader)} ${formatExactly(at, reader)}`).not.toMatch(
        /\s(at|um|à|a las|klo|kl\.|alle|v)\s/,
      );
    },
  );

  test("is shown in the reader's time zone", () => {
    const late = Date.UTC(2026, 10, 30, 23, 30);
    const tokyo = { locale: "en-GB", timeZone: "Asia/Tokyo" };
    expect(formatDay(late, tokyo)).toBe("1\u00a0December 2026");
    expect(formatMonth(late, tokyo)).toBe("December 2026");
    expect(formatMoment(late, tokyo)).toBe("1\u00a0December 2026, 08:30");
    // Whether a comma follows the weekday depends on the calendar data.
    expect(formatExactly(late, tokyo)).toMatch(/^Tuesday,? 1 December 2026, 08:30:00 GMT\+9$/);
    expect(formatExactly(late, { ...tokyo, locale: "en-CA" })).toBe("2026-12-01, 08:30:00 GMT+9");
  });
});

test("instants are formatted by property name, at any depth, and nothing else is changed", () => {
  const at = Date.UTC(2026, 10, 20, 12, 30);
  const read = {
    createdAt: at,
    endedAt: null,
    leavingUntil: at,
    pastDueSince: at,
    amountMinor: at,
    format: 5,
    atHome: 7,
  };
  const spelled = "2026-11-20T12:30:00.000Z";
  expect(spellInstants({ rows: [read], word: "At", list: [1, "two", null] })).toEqual({
    rows: [{ ...read, createdAt: spelled, leavingUntil: spelled, pastDueSince: spelled }],
    word: "At",
    list: [1, "two", null],
  });
});
