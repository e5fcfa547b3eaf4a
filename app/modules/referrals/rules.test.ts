import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { chooseTouch, touchIsValid } from "./rules.ts";

const now = 1_800_000_000_000;
const days = 30;
const anybody = () => true;
const nobody = () => false;

describe("a touch", () => {
  test("lives for its days, exact at the edge", () => {
    expect(touchIsValid({ code: "a", at: now - days * dayMs + 1 }, now, days)).toBe(true);
    expect(touchIsValid({ code: "a", at: now - days * dayMs }, now, days)).toBe(false);
    expect(touchIsValid(null, now, days)).toBe(false);
  });

  test("takes precedence over a later one until it expires", () => {
    const remembered = { code: "first", at: now - dayMs };
    expect(chooseTouch(remembered, "second", anybody, now, days)).toEqual({ touch: remembered, isNew: false });
  });

  test("can be replaced once it has expired or its code belongs to no account any more", () => {
    const next = { touch: { code: "second", at: now }, isNew: true };
    expect(chooseTouch({ code: "first", at: now - days * dayMs }, "second", anybody, now, days)).toEqual(next);
    expect(chooseTouch({ code: "first", at: now }, "second", (code) => code === "second", now, days)).toEqual(next);
  });

  test("isn't created by an unknown code", () => {
    expect(chooseTouch(null, "unknown", nobody, now, days)).toBeNull();
    expect(chooseTouch({ code: "gone", at: now }, null, nobody, now, days)).toBeNull();
    expect(chooseTouch(null, null, anybody, now, days)).toBeNull();
  });
});
