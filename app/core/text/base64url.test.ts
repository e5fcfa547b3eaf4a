import fc from "fast-check";
import { expect, test } from "vitest";
import { base64urlToBytes, base64urlToText, bytesToBase64url, textToBase64url } from "./base64url.ts";

test("any text and bytes are read back, in characters that need no escaping", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.uint8Array(), (text, bytes) => {
      expect(base64urlToText(textToBase64url(text))).toBe(text);
      expect([...base64urlToBytes(bytesToBase64url(bytes))]).toEqual([...bytes]);
      expect(textToBase64url(text)).toMatch(/^[\w-]*$/);
    }),
  );
});

test("base64url is decoded to the same text, and what isn't base64url or UTF-8 is no text", () => {
  expect(base64urlToText(textToBase64url("ü~?>"))).toBe("ü~?>");
  expect([base64urlToText("!"), base64urlToText("_w")]).toEqual([null, null]);
});
