import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/** Named after their role, which the folder completes. */
const byRole =
  /(^|\/)(route|layout|routes|root|entry\.(client|server)|page-data)\.tsx?$|messages\.ts$|(schema|rules|queries\.server)\.ts$|config\.ts$|-shape\.ts$|\.test\.tsx?$/;

const exceptions: Record<string, string> = {
  "app/core/rate-limiter.ts": "the limiter that it asks is the subject; `isRateLimited` is the question",
};

const files = globSync(["app/**/*.{ts,tsx}", "{scripts,workers,tests/support}/**/*.ts"])
  .filter((path) => !byRole.test(path) && !path.endsWith(".d.ts") && !path.includes("node_modules"))
  .toSorted();

/**
 * What exists when the code runs: a module that exports several things, such as a Worker with its default export, is named after their
 * subject.
 */
function valuesExportedBy(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap((node) => {
    if (node.type === "ExportDefaultDeclaration") return ["default"];
    if (node.type !== "ExportNamedDeclaration" || node.exportKind === "type") return [];
    const { declaration, specifiers } = node;
    if (declaration?.type === "FunctionDeclaration" || declaration?.type === "ClassDeclaration")
      return declaration.id ? [declaration.id.name] : [];
    if (declaration?.type === "VariableDeclaration")
      return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    return specifiers.flatMap(({ exported }) => (exported.type === "Identifier" ? [exported.name] : []));
  });
}

/** Of the words in a file's name, those that the name of its only export doesn't contain. */
function wordsMissing(path: string, text: string): string[] {
  const [name, ...others] = valuesExportedBy(path, text);
  if (name === undefined || name === "default" || others.length > 0) return [];
  const parts = basename(path)
    .replace(/(\.(server|client))?\.tsx?$/, "")
    .split("-");
  const folder = path.split("/").at(-2) ?? "";
  return parts.filter((word) => word !== folder && !name.toLowerCase().includes(word.replace(/s$/, "")));
}

describe("file names", () => {
  test("a file with one export is named after it", () => {
    expect(files.length).toBeGreaterThan(500);
    const found = files.filter((path) => wordsMissing(path, readFileSync(path, "utf8")).length > 0);
    expect(found).toEqual(Object.keys(exceptions));
  });

  test("another name is found, whatever kind of value is exported", () => {
    for (const code of [
      "function isAfter() {}",
      "const isAfter = 1;",
      "class IsAfter {}",
      "async function isAfter() {}",
    ]) {
      expect(wordsMissing("app/db/keyset.server.ts", `export ${code}`)).toEqual(["keyset"]);
      expect(wordsMissing("app/db/is-after.server.ts", `export ${code}`)).toEqual([]);
    }
    expect(wordsMissing("app/db/keyset.server.ts", "export type Key = string; export const a = 1, b = 2;")).toEqual([]);
  });
});
