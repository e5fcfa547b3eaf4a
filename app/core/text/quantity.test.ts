import { expect, test } from "vitest";
import { formatQuantity } from "./quantity.ts";

test.each([
  [0, "0\u00a0bytes"],
  [1, "1\u00a0byte"],
  [999, "999\u00a0bytes"],
  [1000, "1\u00a0kB"],
  [12_400_000_000, "12.4\u00a0GB"],
  [500_000_000_000, "500\u00a0GB"],
  [499_999_999_999, "499.9\u00a0GB"],
  [3_000_000_000_000, "3\u00a0TB"],
  [9_007_199_254_740_991, "9\u00a0PB"],
])("%s bytes are %s", (bytes, text) => {
  expect(formatQuantity(bytes, "bytes", "en")).toBe(text);
});

test("a number of items is formatted for the reader's locale", () => {
  expect([formatQuantity(1204, "count", "en"), formatQuantity(1204, "count", "de-DE")]).toEqual(["1,204", "1.204"]);
});
