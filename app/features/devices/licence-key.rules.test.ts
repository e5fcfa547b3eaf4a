import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupLicenceKey, hiddenLicenceKey, newLicenceKey, readLicenceKey } from "./licence-key.rules.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const keys = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => newLicenceKey(() => bytes));
const bare = (key: string) => key.replaceAll("-", "");

describe("a licence key", () => {
  test("consists of 160 random bits, in groups that can be read aloud", () => {
    const requests: number[] = [];
    const key = newLicenceKey((byteCount) => {
      requests.push(byteCount);
      return new Uint8Array(byteCount).fill(0xa5);
    });
    expect(requests).toEqual([20]);
    expect(key).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(hiddenLicenceKey()).toHaveLength(key.length);
  });

  test("is accepted in any spelling", () => {
    fc.assert(
      fc.property(keys, (key) => {
        const read = readLicenceKey(key);
        expect(read).not.toBeNull();
        expect(groupLicenceKey(read ?? "")).toBe(key);
        const kind = [key.toLowerCase(), bare(key), ` ${key.replaceAll("-", " ")}\n`, key.replaceAll("-", "\u2013")];
        const pasted = `\u200b${key.replaceAll("-", "\u00ad-\u200d")}\ufeff`;
        const lookalikes = key.replaceAll("0", "O").replaceAll("1", "l");
        for (const typed of [...kind, pasted, lookalikes]) expect(readLicenceKey(typed)).toBe(read);
      }),
    );
  });

  test("is rejected when one character is changed", () => {
    fc.assert(
      fc.property(keys, fc.nat(32), fc.constantFrom(...alphabet), (key, at, letter) => {
        const letters = [...bare(key)];
        fc.pre(letters[at] !== letter);
        letters[at] = letter;
        expect(readLicenceKey(letters.join(""))).toBeNull();
      }),
    );
  });

  test("is rejected when two adjacent characters are swapped, including the check character", () => {
    fc.assert(
      fc.property(keys, fc.nat(31), (key, at) => {
        const letters = [...bare(key)];
        const [left = "", right = ""] = letters.slice(at, at + 2);
        fc.pre(left !== right);
        letters.splice(at, 2, right, left);
        expect(readLicenceKey(letters.join(""))).toBeNull();
      }),
    );
  });

  test.each(["", "hello", "A".repeat(34), "U".repeat(33), "0".repeat(32), "0".repeat(10_000), "\u{1f511}".repeat(33)])(
    "is rejected if it is %j",
    (typed) => expect(readLicenceKey(typed)).toBeNull(),
  );
});
