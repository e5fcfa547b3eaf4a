import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { chooseTouch, newReferralCode, readReferralCode, touchIsValid } from "./rules.ts";

const now = 1_800_000_000_000;
const days = 30;
const anybody = () => true;
const nobody = () => false;

describe("a code", () => {
  test("is random and can be read again", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 7, maxLength: 7 }), (bytes) => {
        const code = newReferralCode(() => bytes);
        expect(readReferralCode(code)).toBe(code);
      }),
    );
  });

  test.each([
    null,
    undefined,
    "",
    "abc",
    "abcdefghjkm",
    "ABCDEFGHJK",
    "abcdefghi0",
    "abcde fghj",
    "abcdefghj\n",
    "'; drop --x",
  ])("is never looked up as %j", (text) => expect(readReferralCode(text)).toBeNull());
});

describe("a touch", () => {
  test("lives for its days, exact at the edge", () => {
    expect(touchIsValid({ code: "a", at: now - days * dayMs + 1 }, now, days)).toBe(true);
    expect(touchIsValid({ code: "a", at: now - days * dayMs }, now, days)).toBe(false);
    expect(touchIsValid(null, now, days)).toBe(false);
  });

  test("wins over a later one while it lives", () => {
    const remembered = { code: "first", at: now - dayMs };
    expect(chooseTouch(remembered, "second", anybody, now, days)).toEqual({ touch: remembered, isNew: false });
  });

  test("makes room once it has expired, or when its code belongs to no account any more", () => {
    const next = { touch: { code: "second", at: now }, isNew: true };
    expect(chooseTouch({ code: "first", at: now - days * dayMs }, "second", anybody, now, days)).toEqual(next);
    expect(chooseTouch({ code: "first", at: now }, "second", (code) => code === "second", now, days)).toEqual(next);
  });

  test("doesn't begin with an unknown code", () => {
    expect(chooseTouch(null, "unknown", nobody, now, days)).toBeNull();
    expect(chooseTouch({ code: "gone", at: now }, null, nobody, now, days)).toBeNull();
    expect(chooseTouch(null, null, anybody, now, days)).toBeNull();
  });
});
