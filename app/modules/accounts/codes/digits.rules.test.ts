import { describe, expect, test } from "vitest";
import { generateCode, matchesCode, hashCode, readDigits } from "./digits.rules.ts";

describe("the digits of a code", () => {
  test("may be typed with spaces, dashes and full-width digits", () => {
    expect(readDigits("1234 5678")).toBe("12345678");
    expect(readDigits(" 1234-5678 ")).toBe("12345678");
    expect(readDigits("１２３４５６７８")).toBe("12345678");
    expect(readDigits("۷۹۲۳۳۵۴۱")).toBe("79233541");
    expect(readDigits("1234·5678")).toBe("12345678");
    expect(readDigits("1234567")).toBeNull();
    expect(readDigits("123456789")).toBeNull();
    expect(readDigits("1234567a")).toBeNull();
  });

  test("has eight digits including leading zeros, evenly distributed", () => {
    expect(generateCode(() => new Uint8Array([0, 0, 0, 7]))).toBe("00000007");
    const chunks = [new Uint8Array([255, 255, 255, 255]), new Uint8Array([0, 0, 0, 9])];
    expect(generateCode(() => chunks.shift() ?? new Uint8Array(4))).toBe("00000009");
  });

  test("match only the hash of their own request under their own pepper", async () => {
    const code = { id: "req_1" as const, codeHash: await hashCode("pepper", "req_1", "12345678") };
    expect(await matchesCode("pepper", code, "12345678")).toBe(true);
    expect(await matchesCode("pepper", code, "12345679")).toBe(false);
    expect(await matchesCode("salt", code, "12345678")).toBe(false);
    expect(await matchesCode("pepper", { ...code, id: "req_2" }, "12345678")).toBe(false);
    const unsent = { id: "req_1" as const, codeHash: await hashCode("pepper", "req_1", "") };
    for (const typed of ["", "12345678"]) expect(await matchesCode("pepper", unsent, typed)).toBe(false);
  });
});
