import { afterEach, describe, expect, test, vi } from "vitest";
import { fitsKeyedHash, hashToken, keyedHash, seal, unseal } from "./digest.ts";

const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

afterEach(() => void vi.restoreAllMocks());

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

  test("a keyed hash fits its text alone, letter by letter", async () => {
    const hash = await keyedHash("pepper", "code", "12345678");
    const fits = (candidate: string, use = "code", text = "12345678") => fitsKeyedHash("pepper", use, text, candidate);
    expect(await fits(hash)).toBe(true);
    for (const other of [`${hash.slice(0, -1)}z`, hash.slice(0, -1), `${hash}0`, hash.toUpperCase(), ""]) {
      expect(await fits(other)).toBe(false);
    }
    expect(await fits(hash, "address")).toBe(false);
    expect(await fits(hash, "code", "12345679")).toBe(false);
  });

  test("is compared by the platform, in constant time, and by nothing of ours", async () => {
    const hash = await keyedHash("pepper", "code", "12345678");
    const verify = vi.spyOn(crypto.subtle, "verify");
    await fitsKeyedHash("pepper", "code", "12345678", hash);
    await fitsKeyedHash("pepper", "code", "12345679", hash);
    expect(verify).toHaveBeenCalledTimes(2);
    verify.mockImplementation(() => Promise.resolve(false));
    // The resolved value is the assertion.
    expect(await fitsKeyedHash("pepper", "code", "12345678", hash)).toBe(false);
  });

  test("a sealed box opens again under its pepper and under no other, and not when altered", async () => {
    const box = await seal("pepper", "your code is 12345678", random);
    expect(await unseal("pepper", box)).toBe("your code is 12345678");
    await expect(unseal("salt", box)).rejects.toThrow();
    await expect(unseal("pepper", `${box.slice(0, -6)}AAAA==`)).rejects.toThrow();
    expect(box).not.toContain("12345678");
  });
});
