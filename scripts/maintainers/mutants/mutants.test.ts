import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants } from "./mutants.ts";

test("each planted fault has its place in the code, once, and its tests exist", () => {
  const lost = mutants.filter(
    ({ file, find }) => !existsSync(file) || readFileSync(file, "utf8").split(find).length !== 2,
  );
  expect(lost.map(({ name }) => name)).toEqual([]);
  expect(
    mutants.filter((mutant) => "tests" in mutant && !existsSync(String(mutant.tests))).map(({ name }) => name),
  ).toEqual([]);
});
