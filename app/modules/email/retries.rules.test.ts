import { describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { decideRetry, quotaPatienceMs } from "./retries.rules.ts";

const now = 10 * dayMs;
const email = { tries: 1, template: "order-paid", createdAt: now };
const noQuota = (retryAfterMs: number | null) => ({ reason: "quota-exhausted", retryAfterMs }) as const;

describe("an email that the service refuses", () => {
  test("for its address has failed at the first try", () => {
    expect(decideRetry(email, { reason: "address-refused" }, now)).toEqual({ retryAt: null, tries: 1 });
  });

  test("since it is down is retried a minute later, and has failed after the last try", () => {
    expect(decideRetry(email, { reason: "email-down" }, now)).toEqual({ retryAt: now + minuteMs, tries: 1 });
    expect(decideRetry({ ...email, tries: 8 }, { reason: "email-down" }, now)).toEqual({ retryAt: null, tries: 8 });
  });

  test.each([
    [null, hourMs],
    [20 * minuteMs, 20 * minuteMs],
    [1, minuteMs],
    [dayMs, hourMs],
  ])("for its quota, which is reset in %s ms, is tried again after %i ms, and no try is used up", (resetMs, waitMs) => {
    expect(decideRetry({ ...email, tries: 8 }, noQuota(resetMs), now)).toEqual({ retryAt: now + waitMs, tries: 7 });
  });

  test("for its quota has failed after two days", () => {
    const old = { ...email, createdAt: now - quotaPatienceMs };
    expect(decideRetry({ ...old, createdAt: old.createdAt + 1 }, noQuota(null), now).retryAt).toBe(now + hourMs);
    expect(decideRetry(old, noQuota(null), now).retryAt).toBe(null);
  });

  test.each([
    [1, dayMs, minuteMs],
    [1, null, minuteMs],
    [4, 20 * minuteMs, 15 * minuteMs],
    [5, 20 * minuteMs, 20 * minuteMs],
    [5, 1, minuteMs],
  ])(
    "for its quota is retried as ever if it has a code, or at the reset, and each try counts: %i, %s",
    (tries, resetMs, waitMs) => {
      const code = { ...email, tries, template: "code" };
      expect(decideRetry(code, noQuota(resetMs), now)).toEqual({ retryAt: now + waitMs, tries });
    },
  );

  test("for its quota has failed after the last try if it has a code", () => {
    expect(decideRetry({ ...email, tries: 8, template: "code" }, noQuota(minuteMs), now).retryAt).toBe(null);
  });
});
