import { describe, expect, test } from "vitest";
import { equalInConstantTime, hashToken, keyedHash, seal, unseal } from "./digest.ts";

const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

describe("digests", () => {
  test("the same text under another pepper or for another use is another hash", async () => {
    const hash = await keyedHash("pepper", "code", "12345678");
    expect(await keyedHash("pepper", "code", "12345678")).toBe(hash);
    expect(await keyedHash("salt", "code", "12345678")).not.toBe(hash);
    expect(await keyedHash("pepper", "address", "12345678")).not.toBe(hash);
  });

  test("a token's hash has 256 bits", async () => {
    expect(await hashToken("token")).toHaveLength(52);
  });

  test("only equal texts are equal", () => {
    expect(equalInConstantTime("abc", "abc")).toBe(true);
    expect(equalInConstantTime("abc", "abd")).toBe(false);
    expect(equalInConstantTime("abc", "ab")).toBe(false);
    expect(equalInConstantTime("", "a")).toBe(false);
  });

  test("a sealed box opens again under its pepper and under no other, and not when altered", async () => {
    const box = await seal("pepper", "your code is 12345678", random);
    expect(await unseal("pepper", box)).toBe("your code is 12345678");
    await expect(unseal("salt", box)).rejects.toThrow();
    await expect(unseal("pepper", `${box.slice(0, -6)}AAAA==`)).rejects.toThrow();
    expect(box).not.toContain("12345678");
  });
});
