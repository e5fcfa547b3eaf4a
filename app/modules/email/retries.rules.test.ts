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
    expect(decideRetry(email, { reason: "mail-down" }, now)).toEqual({ retryAt: now + minuteMs, tries: 1 });
    expect(decideRetry({ ...email, tries: 8 }, { reason: "mail-down" }, now)).toEqual({ retryAt: null, tries: 8 });
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

  test("for its quota is retried as soon as ever if it has a code, and each try counts", () => {
    expect(decideRetry({ ...email, template: "code" }, noQuota(dayMs), now)).toEqual({
      retryAt: now + minuteMs,
      tries: 1,
    });
  });
});
