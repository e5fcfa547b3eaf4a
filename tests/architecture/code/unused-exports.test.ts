import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { sourceFiles, withoutComments } from "./imports.ts";

/** Names that React Router reads from the root, the entries and routes. */
const readByRouter =
  /^(default|middleware|meta|links|loader|action|headers|handle|clientLoader|clientAction|shouldRevalidate|Layout|ErrorBoundary|streamTimeout|handleDataRequest|handleError|instrumentations)$/;
const routerFile = /^app\/(root|entry\.(client|server)|routes\/.*|features\/[^/]+\/page\/.*)\.tsx?$/;
/** The build writes the imports of texts that a product overrides. */
const readByBuild = new Set(["app/product/messages.ts messages", "app/core/messages.ts overrideTexts"]);
/** What features are built from, whether or not one is left that needs it. */
const forFeatures =
  /^app\/(feature\.ts|modules\/email\/templates\.rules\.ts|modules\/accounts\/(activities|codes\/challenge)\.rules\.ts|api\/answers\.ts|http\/forms\/|http\/page\/flash\.messages\.ts|ui\/components\/)/;

/** The files that a package offers under a name, for others to import. */
const offered = new Set(
  globSync("packages/*/package.json").flatMap((manifest) => {
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, string> };
    return Object.values(exports).map((file) =>
      posix.join(dirname(manifest), file.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")),
    );
  }),
);

const importing = ["{app,workers,packages/*/{src,tests},tests,scripts,bench}/**/*.{ts,tsx}", "*.ts"];
const texts = new Map(globSync(importing).map((path) => [path, readFileSync(path, "utf8")]));

/** `path name` of each export that no file imports. */
function unusedIn(code: ReadonlyMap<string, string>, files: readonly string[]): string[] {
  const used = new Set([...code].flatMap(([path, text]) => usesOf(path, text)));
  return files.flatMap((path) =>
    exportsOf(path, code.get(path) ?? "")
      .filter((name) => !(routerFile.test(path) && readByRouter.test(name)))
      .map((name) => `${path} ${name}`)
      .filter((name) => !used.has(name) && !used.has(`${path} *`) && !readByBuild.has(name) && !forFeatures.test(name)),
  );
}

/** Names of declarations. */
function exportsOf(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap((node) => {
    if (node.type !== "ExportNamedDeclaration" || !node.declaration) return [];
    const { declaration } = node;
    if (declaration.type !== "VariableDeclaration") return "id" in declaration ? namesOf(declaration.id) : [];
    return declaration.declarations.flatMap(({ id }) => namesOf(id));
  });
}

const namesOf = (id: { type: string } | null): string[] => (id && "name" in id ? [String(id.name)] : []);

/** `path name`, or `path *` for a module that is imported whole: by `import *`, or by `import()` in code and types. */
function usesOf(path: string, text: string): string[] {
  const { staticImports, staticExports } = parseSync(path, text).module;
  const entries = [...staticImports, ...staticExports].flatMap((statement) =>
    statement.entries.map((entry) => {
      const request =
        "moduleRequest" in entry ? entry.moduleRequest : "moduleRequest" in statement && statement.moduleRequest;
      return [request ? request.value : "", entry.importName.name ?? "*"] as const;
    }),
  );
  const code = withoutComments(path, text);
  const whole = [...code.matchAll(/\bimport\(\s*"([^"]+)"/g)].map(([, from = ""]) => [from, "*"] as const);
  // An interface that a feature adds to.
  const added = [...code.matchAll(/^declare module "([^"]+)" \{\n((?:[ \n].*\n)*)/gm)].flatMap(
    ([, from = "", body = ""]) =>
      [...body.matchAll(/^ {2}interface (\w+)/gm)].map(([, name = ""]) => [from, name] as const),
  );
  return [...entries, ...whole, ...added].map(([from, name]) => `${fileOf(from, path)} ${name}`);
}

function fileOf(specifier: string, from: string): string {
  return specifier.startsWith(".") ? posix.join(dirname(from), specifier) : specifier.replace(/^#/, "");
}

test("what a file exports is imported by another", () => {
  const files = sourceFiles();
  expect(files.filter((path) => offered.has(path)).length).toBeGreaterThan(3);
  expect(
    unusedIn(
      texts,
      files.filter((path) => !offered.has(path)),
    ),
  ).toEqual([]);
});

test("an export that nothing imports is found", () => {
  const code = new Map([
    ["app/a.ts", "export type A = 1; export const b = 2, c = 3; export function d() {}"],
    ["app/e.ts", 'import { b as other, type A } from "#app/a.ts"; export * as all from "./f.ts"; other satisfies A;'],
    ["app/f.ts", "export const g = 1;"],
    ["app/routes/h.tsx", "export function loader() {} export function i() {}"],
  ]);
  expect(unusedIn(code, [...code.keys()])).toEqual(["app/a.ts c", "app/a.ts d", "app/routes/h.tsx i"]);
});
