import { expect, test } from "vitest";
import { seal, unseal } from "./seal.ts";

const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

test("a sealed value opens only with its own pepper and only unaltered", async () => {
  const box = await seal("pepper", "your code is 12345678", random);
  expect(await unseal("pepper", box)).toBe("your code is 12345678");
  await expect(unseal("salt", box)).rejects.toThrow();
  await expect(unseal("pepper", `${box.slice(0, -6)}AAAA==`)).rejects.toThrow();
  expect(box).not.toContain("12345678");
});
