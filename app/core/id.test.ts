import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase32, newId, newToken, type Random, readId, toBase32 } from "./id.ts";

test("an id contains 128 random bits and a token 256", () => {
  const requests: number[] = [];
  const seen = new Set<string>();
  for (const make of [(random: Random) => newId("ord", random), newToken]) {
    const bytes = make((count) => {
      requests.push(count);
      return new Uint8Array(count);
    });
    seen.add(bytes);
    for (let bit = 0; bit < (requests.at(-1) ?? 0) * 8; bit++)
      seen.add(make((count) => new Uint8Array(count).with(bit >> 3, 1 << (bit & 7))));
  }
  expect([requests[0], requests.at(-1)]).toEqual([16, 32]);
  expect(seen.size).toBe(1 + 128 + 1 + 256);
});

test("an id from outside is recognised by its prefix, and is rejected as an id of another kind", () => {
  expect([readId("ord", "ord_1"), readId("ord", "acc_1"), readId("ord", ""), readId("ord", null)]).toEqual([
    "ord_1",
    null,
    null,
    null,
  ]);
});

test("base32 is read back, and only as it was written", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase32(toBase32(bytes))).toEqual(bytes);
    }),
  );
  // The last two have bits beyond their last whole byte.
  for (const text of ["U0", "u0", "a-", " ", "0", "01", "zzzz1"])
    expect([text, fromBase32(text)]).toEqual([text, null]);
});
