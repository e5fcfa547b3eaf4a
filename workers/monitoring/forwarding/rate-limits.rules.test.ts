import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-rate-limits.json" with { type: "json" };
import {
  formatLimits,
  isLimited,
  learnLimits,
  limitedUntil,
  NO_LIMITS,
  parseRetryAfterMs,
  type RateLimits,
} from "./rate-limits.rules.ts";

const now = 1_700_000_000_000;

function limitsOf(limitsMs: Record<string, number | undefined> = {}): RateLimits {
  return new Map(Object.entries(limitsMs).flatMap(([category, ms]) => (ms === undefined ? [] : [[category, ms]])));
}

describe("third-party rate limit headers", () => {
  test.each(vectors.headers)("are parsed as expected: $id $name", ({ input, expect: wanted }) => {
    const before = limitsOf("prior_ms" in input ? input.prior_ms : {});
    // The cases with absolute milliseconds start their clock at 0.
    const at = "limits_ms" in wanted ? 0 : now;
    const learnt = learnLimits(
      before,
      {
        status: input.status ?? 200,
        rateLimits: input.headers["x-sentry-rate-limits"],
        retryAfter: input.headers["retry-after"],
      },
      at,
    );
    const seconds = Object.fromEntries([...learnt].map(([category, until]) => [category, (until - at) / 1000]));
    if (wanted.limits) expect(seconds).toEqual(wanted.limits);
    if (wanted.limits_ms) expect(Object.fromEntries(learnt)).toEqual(wanted.limits_ms);
    for (const category of wanted.notLimited ?? []) expect(isLimited(learnt, [category], at)).toBe(false);
    for (const category of wanted.limitedAt ?? [])
      expect(isLimited(learnt, [category], at + (wanted.at_ms ?? 0))).toBe(true);
  });

  test.each(vectors.merge)("combine a new limit with an old one: $name", (vector) => {
    const delay = Object.entries(vector.new_ms).map(([category, ms]) => `${(ms ?? 0) / 1000}:${category}`);
    const learnt = learnLimits(
      limitsOf(vector.old_ms),
      { status: 200, rateLimits: delay.join(","), retryAfter: null },
      0,
    );
    const rounded = Object.entries(vector.expect_ms).map(([category, ms]) => [
      category,
      vector.old_ms[category as "error"] === undefined ? Math.ceil((ms ?? 0) / 1000) * 1000 : ms,
    ]);
    expect(Object.fromEntries(learnt)).toEqual(Object.fromEntries(rounded));
  });

  test.each(vectors.limited)("apply to the expected categories: $name $category", (vector) => {
    const limits = limitsOf(vector.limits_ms);
    if (vector.category !== undefined) expect(isLimited(limits, [vector.category], vector.now_ms)).toBe(vector.expect);
    for (const [category, until] of Object.entries(vector.deadlines_ms ?? {})) {
      expect(limitedUntil(limits, [category])).toBe(until);
    }
  });

  test.each(vectors.retryAfter)("include Retry-After $input", (vector) => {
    const at = vector.now === undefined ? 0 : Date.parse(vector.now);
    const wanted = vector.expect_ms ?? vector.fallback_ms ?? Date.parse(vector.expectAbsolute ?? "") - at;
    expect(parseRetryAfterMs(vector.input, at)).toBe(wanted);
  });
});

describe("the back-off", () => {
  const signal = (status: number, rateLimits: string | null, retryAfter: string | null = null) => ({
    status,
    rateLimits,
    retryAfter,
  });

  test("rounds fractions up, and ignores spaces around any part", () => {
    const learnt = learnLimits(NO_LIMITS, signal(200, " 0.2 : error ; transaction : key ,  2 : : organization"), now);
    expect(Object.fromEntries(learnt)).toEqual({ error: now + 1000, transaction: now + 1000, all: now + 2000 });
  });

  test("ignores limits on metrics of another namespace", () => {
    expect(learnLimits(NO_LIMITS, signal(429, "42:metric_bucket:organization:quota:spans", "42"), now).size).toBe(0);
  });

  test("ignores a limit with unknown categories only, even on a 429", () => {
    expect(learnLimits(NO_LIMITS, signal(429, "60:of_the_future:key", "60"), now).size).toBe(0);
  });

  test.each(["a 1", "GARBAGE 2099", "May 5", "-5", "+5", "1e3", "0x10", "5s", "", "99999999999999999999999"])(
    "takes 60 seconds for a Retry-After of %j, which is invalid",
    (text) => {
      expect(parseRetryAfterMs(text, now)).toBe(60_000);
    },
  );

  test("takes 60 seconds for a date thousands of years ahead", () => {
    expect(parseRetryAfterMs("Fri, 31 Dec 9999 23:59:59 GMT", now)).toBe(60_000);
  });

  test("ignores a date in the past", () => {
    expect(parseRetryAfterMs("Wed, 21 Oct 2015 07:28:00 GMT", now)).toBe(0);
  });

  test("ends limits at their time", () => {
    const learnt = learnLimits(NO_LIMITS, signal(429, null, "10"), now);
    expect(isLimited(learnt, ["error"], now + 9_999)).toBe(true);
    expect(isLimited(learnt, ["error"], now + 10_000)).toBe(false);
  });

  test('gives a category shorter than "all" the later end, since the browser SDK compares only that one', () => {
    const limits = new Map([
      ["all", now + 60_000],
      ["error", now + 5_000],
      ["session", now + 90_000],
    ]);
    expect(formatLimits(limits, now)).toBe("60::organization, 60:error:organization, 90:session:organization");
  });

  test("is sent to the browser in headers that are parsed as the same limits", () => {
    const category = fc.constantFrom("all", "error", "transaction", "session", "replay", "span");
    fc.assert(
      fc.property(fc.dictionary(category, fc.integer({ min: 1, max: 5_000 })), (delays) => {
        const limits = new Map(Object.entries(delays).map(([name, seconds]) => [name, now + seconds * 1000]));
        const text = formatLimits(limits, now);
        const learnt = text === null ? NO_LIMITS : learnLimits(NO_LIMITS, signal(200, text), now);
        for (const name of ["error", "transaction", "session", "replay", "span", "feedback"]) {
          expect(limitedUntil(learnt, [name])).toBe(limitedUntil(limits, [name]));
        }
      }),
    );
  });

  test("never throws for any header, and never lasts longer than 292 years", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (rateLimits, retryAfter) => {
        for (const until of learnLimits(NO_LIMITS, signal(429, rateLimits, retryAfter), 0).values()) {
          expect(until).toBeGreaterThanOrEqual(0);
          expect(until).toBeLessThan(293 * 366 * 86_400_000);
        }
      }),
    );
  });
});
