import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newLinkCode, readLinkCode } from "./link-code.ts";

describe("a code", () => {
  test("is random and can be read again", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 7, maxLength: 7 }), (bytes) => {
        const code = newLinkCode(() => bytes);
        expect(readLinkCode(code)).toBe(code);
      }),
    );
  });

  test("has ten letters that can be read out", () => {
    expect(newLinkCode(() => new Uint8Array(7).fill(255))).toBe("zzzzzzzzzz");
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
  ])("is never looked up as %j", (text) => expect(readLinkCode(text)).toBeNull());
});
