import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseSync } from "oxc-parser";

/** What every command, page or messages file has one of, under the same name. */
const byRole = new Set(["Deps", "Input", "Refusal", "Page", "ErrorBoundary", "default"]);
/** React Router fixes the names of a route's exports. */
const route = /^app\/(root|routes\/.*\/(route|layout))\.tsx?$|^app\/(client\/keep-form|http\/page\/pass-headers)\.ts$/;

type Exported = { path: string; name: string };

/** Overloads of a function count once. */
function namesIn(path: string, text: string): string[] {
  const names = parseSync(path, text).program.body.flatMap((node): string[] => {
    if (node.type !== "ExportNamedDeclaration" || !node.declaration) return [];
    const { declaration } = node;
    if (declaration.type === "VariableDeclaration")
      return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
  });
  return [...new Set(names)];
}

function exportedTwice(exported: readonly Exported[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, name } of exported) paths.set(name, [...(paths.get(name) ?? []), path]);
  return [...paths].filter(([, places]) => places.length > 1).map(([name, places]) => `${name}: ${places.join(", ")}`);
}

test("a name is exported by one file of the app, so that it means one thing wherever it is imported", () => {
  const files = globSync("app/**/*.{ts,tsx}").filter((path) => !path.endsWith(".test.ts") && !route.test(path));
  const exported = files.flatMap((path) =>
    namesIn(path, readFileSync(path, "utf8"))
      .filter((name) => !byRole.has(name))
      .map((name) => ({ path, name })),
  );
  expect(exported.length).toBeGreaterThan(500);
  expect(exportedTwice(exported)).toEqual([]);
});

test("two files with the same export are found, of a function, a constant or a type", () => {
  const exportsOf = (path: string, text: string) => namesIn(path, text).map((name) => ({ path, name }));
  const left = exportsOf(
    "a.ts",
    "export function f(): 1; export function f() {} export const c = 1; export type T = 1;",
  );
  const right = exportsOf(
    "b.ts",
    "export async function f() {} export class c {} export interface T {} const own = 1;",
  );
  expect(exportedTwice([...left, ...right])).toEqual(["f: a.ts, b.ts", "c: a.ts, b.ts", "T: a.ts, b.ts"]);
});
