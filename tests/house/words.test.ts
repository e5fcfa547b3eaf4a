import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The texts of a words module: what stands between quotes, without what is filled in. */
function textsOf(file: string): string[] {
  const source = readFileSync(file, "utf8").replaceAll(/\$\{[^}]*\}/g, "");
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, filled]) => plain ?? filled ?? "",
  );
}

const modules = globSync("app/**/*.words.ts");

test("no text raises its voice", () => {
  expect(modules.length).toBeGreaterThan(30);
  const loud = modules.flatMap((file) => textsOf(file).filter((text) => /!|\bOops\b|\bWoo/i.test(text)));
  expect(loud).toEqual([]);
});
