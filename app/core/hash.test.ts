import { afterEach, describe, expect, test, vi } from "vitest";
import { matchesKeyedHash, hashToken, keyedHash } from "./hash.ts";

afterEach(() => void vi.restoreAllMocks());

describe("digests", () => {
  test("a text has a different hash with another pepper and for another use", async () => {
    const hash = await keyedHash("pepper", "code", "12345678");
    expect(await keyedHash("pepper", "code", "12345678")).toBe(hash);
    expect(await keyedHash("salt", "code", "12345678")).not.toBe(hash);
    expect(await keyedHash("pepper", "address", "12345678")).not.toBe(hash);
  });

  test("a token's hash has 256 bits", async () => {
    expect(await hashToken("token")).toHaveLength(52);
  });

  test("a keyed hash matches its own text only, character by character", async () => {
    const hash = await keyedHash("pepper", "code", "12345678");
    const fits = (candidate: string, use = "code", text = "12345678") =>
      matchesKeyedHash("pepper", use, text, candidate);
    expect(await fits(hash)).toBe(true);
    for (const other of [`${hash.slice(0, -1)}z`, hash.slice(0, -1), `${hash}0`, hash.toUpperCase(), ""]) {
      expect(await fits(other)).toBe(false);
    }
    expect(await fits(hash, "address")).toBe(false);
    expect(await fits(hash, "code", "12345679")).toBe(false);
  });

  test("digests are compared in constant time by the platform, not by code of ours", async () => {
    const hash = await keyedHash("pepper", "code", "12345678");
    const verify = vi.spyOn(crypto.subtle, "verify");
    await matchesKeyedHash("pepper", "code", "12345678", hash);
    await matchesKeyedHash("pepper", "code", "12345679", hash);
    expect(verify).toHaveBeenCalledTimes(2);
    verify.mockImplementation(() => Promise.resolve(false));
    // The function's answer is what `verify` resolves to.
    expect(await matchesKeyedHash("pepper", "code", "12345678", hash)).toBe(false);
  });
});
