import { expect, test } from "vitest";
import { formatQuantity } from "./quantity.ts";

test.each([
  [0, "0 byte"],
  [999, "999 byte"],
  [1000, "1 kB"],
  [12_400_000_000, "12.4 GB"],
  [500_000_000_000, "500 GB"],
  [499_999_999_999, "499.9 GB"],
  [3_000_000_000_000, "3 TB"],
  [9_007_199_254_740_991, "9 PB"],
])("%s bytes are %s", (bytes, text) => {
  expect(formatQuantity(bytes, "bytes", "en")).toBe(text);
});

test("what is counted in pieces is written as its reader writes numbers", () => {
  expect([formatQuantity(1204, "count", "en"), formatQuantity(1204, "count", "de-DE")]).toEqual(["1,204", "1.204"]);
});
