import { describe, expect, test } from "vitest";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import {
  cleanFacts,
  lateAfterMs,
  nextTryAt,
  toOneLine,
  retryWaitsMs,
  senderOf,
  deliveryStateOf,
  tryLeaseMs,
} from "./rules.ts";

const now = 1_800_000_000_000;

describe("tries", () => {
  test("follow after 1, 2, 5, 15 minutes and 1, 3, 12 hours, then stop", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => nextTryAt(tries, now));
    expect(waits.slice(0, 7)).toEqual(
      [minuteMs, 2 * minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 12 * hourMs].map((ms) => now + ms),
    );
    expect(waits[7]).toBeNull();
  });
});

describe("the page that waits for an email", () => {
  const queued = (tries: number, nextTryAt: number) =>
    deliveryStateOf({ state: "queued", tries, nextTryAt, refusal: null, returned: null }, now);

  test("says that it is being sent while the first try is young, and that it is late when that try hangs or never begins", () => {
    expect(queued(0, now)).toBe("sending");
    expect(queued(0, now - lateAfterMs + 1)).toBe("sending");
    expect(queued(0, now - lateAfterMs)).toBe("late");
    const leasedAt = (at: number) => queued(1, at + tryLeaseMs);
    expect(leasedAt(now)).toBe("sending");
    expect(leasedAt(now - lateAfterMs + 1)).toBe("sending");
    expect(leasedAt(now - lateAfterMs)).toBe("late");
  });

  test("says that it is late once any try has failed, and still does during the next one", () => {
    for (const tries of [1, 2, 3, 4, 5, 6, 7]) {
      expect(queued(tries, nextTryAt(tries, now) ?? 0)).toBe("late");
      expect(queued(tries + 1, now + tryLeaseMs)).toBe("late");
    }
    expect(lateAfterMs + (retryWaitsMs[1] ?? 0)).toBeLessThanOrEqual(tryLeaseMs);
  });

  test("says that it was sent, or that it failed for good", () => {
    expect(deliveryStateOf({ state: "sent", tries: 1, nextTryAt: null, refusal: null, returned: null }, now)).toBe(
      "sent",
    );
    expect(
      deliveryStateOf({ state: "failed", tries: 8, nextTryAt: null, refusal: "email-down", returned: null }, now),
    ).toBe("failed");
  });

  test.each([
    [{ state: "failed", refusal: "address-refused", returned: null }, "address-refused"],
    [{ state: "sent", refusal: null, returned: "bounced" }, "address-refused"],
    [{ state: "sent", refusal: null, returned: "complained" }, "sent"],
    [{ state: "queued", refusal: "quota-exhausted", returned: null }, "quota-exhausted"],
    [{ state: "failed", refusal: "quota-exhausted", returned: null }, "failed"],
  ] as const)("of %j says %s", (email, shown) => {
    expect(deliveryStateOf({ tries: 1, nextTryAt: now, ...email }, now)).toBe(shown);
  });
});

describe("a line of a header or an email", () => {
  test.each([
    ["CR and LF", "Mara\r\nBcc: all@example.com"],
    ["LF", "Mara\nBcc: all@example.com"],
    ["NUL", "Mara\u0000Bcc: all@example.com"],
    ["NEL", "Mara\u0085Bcc: all@example.com"],
    ["the Unicode line separator", "Mara\u2028Bcc: all@example.com"],
    ["the Unicode paragraph separator", "Mara\u2029Bcc: all@example.com"],
    ["a turned direction", "Mara\u202eBcc: all@example.com"],
    ["many blanks", "Mara   \t  Bcc: all@example.com"],
  ])("can't be split by %s", (_, text) => {
    expect(toOneLine(text)).toBe("Mara Bcc: all@example.com");
  });

  test("keeps characters that aren't line breaks: other scripts, and the space inside an amount", () => {
    for (const text of ["6,00\u00a0€", "12\u202f000 Ft", "Μάρα", "مارا", "🦩"]) expect(toOneLine(text)).toBe(text);
  });

  test("is applied to every fact of an email, and changes nothing else in it", () => {
    const content = {
      template: "renewal-failed",
      what: "Plan\r\nX: y",
      amount: "€6",
      nextTry: null,
      graceSpentDays: null,
      failure: null,
    } as const;
    const whole = { ...content, accessUntil: "4 December\u20282026", url: "https://a.example/?b=c&d=e" };
    const cleaned = { ...whole, what: "Plan X: y", accessUntil: "4 December 2026" };
    expect(cleanFacts(whole)).toEqual(cleaned);
  });
});

test("the sender has the product's name, unless the address includes one", () => {
  expect(senderOf({ name: "Gull" }, "hello@example.com")).toEqual({ name: "Gull", address: "hello@example.com" });
  expect(senderOf({ name: "Gull" }, "Harbour <hello@example.com>")).toEqual({
    name: "Harbour",
    address: "hello@example.com",
  });
});
