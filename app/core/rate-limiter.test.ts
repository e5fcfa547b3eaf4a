import { describe, expect, test } from "vitest";
import { isRateLimited } from "./rate-limiter.ts";

describe("a rate limiter", () => {
  test("refuses what the platform reports as too much, and nothing else", async () => {
    const keys: string[] = [];
    const limiter = (success: boolean) => ({
      limit: async ({ key }: { key: string }) => {
        keys.push(key);
        return { success };
      },
    });
    const quiet = (error: unknown) => expect.unreachable(String(error));
    expect(await isRateLimited(limiter(true), "codes:one", quiet)).toBe(false);
    expect(await isRateLimited(limiter(false), "codes:two", quiet)).toBe(true);
    expect(keys).toEqual(["codes:one", "codes:two"]);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("no answer"))],
    [
      "throws",
      () => {
        throw new Error("no answer");
      },
    ],
  ])("that %s lets every request pass, and is reported", async (_how, limit) => {
    const reported: unknown[] = [];
    expect(await isRateLimited({ limit }, "codes:one", (error) => reported.push(error))).toBe(false);
    expect(reported).toEqual([new Error("no answer")]);
  });
});
