import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "../../../scripts/seeded-faults/faults.ts";

test.each(faults)("the seeded fault applies to exactly one place: $name", ({ file, find, replace, tests }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
  expect(existsSync(tests)).toBe(true);
});
