import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

/** Files that read rows: the schema gives a row its types, so that nothing has to be asserted about it. */
const readers = globSync(["app/{modules,features}/**/*.server.ts", "app/{api,db,workflows,routes}/**/*.ts"]).filter(
  (path) => !/\.test\.tsx?$/.test(path),
);

/** `x as T`, `<T>x` and `x!`, but not `as const`, and not below a comment that says why no declaration can replace it. */
function castsIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const found: string[] = [];
  const lines = text.split("\n");
  const isExplained = (start: number) =>
    /^\s*\/\/|\*\/$/.test(lines[text.slice(0, start).split("\n").length - 2] ?? "");
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, start, end, typeAnnotation } = node as Record<string, unknown>;
    const { typeName } = (typeAnnotation ?? {}) as { typeName?: { name?: string } };
    const isCast = type === "TSAsExpression" || type === "TSTypeAssertion" || type === "TSNonNullExpression";
    if (isCast && typeName?.name !== "const" && !isExplained(Number(start)))
      found.push(`${path}: ${text.slice(Number(start), Number(end))}`);
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, text).program);
  return found;
}

test("rows are read without casts", () => {
  expect(readers.length).toBeGreaterThan(150);
  expect(readers.flatMap((path) => castsIn(path))).toEqual([]);
});

test.each(["row.state as OrderState", "JSON.parse(row.json) as Looks", "(row as unknown as Order).id", "row.paidAt!"])(
  "a cast is found: %s",
  (text) => {
    expect(castsIn("a.ts", `const a = ${text};`)).not.toEqual([]);
    expect(castsIn("a.ts", `// The schema has rejected everything else.\nconst a = ${text};`)).toEqual([]);
  },
);

test("a constant, a renamed import and an alias in SQL don't count as casts", () => {
  const text = 'import { a as b } from "./a.ts"; const c = ["d"] as const; const e = sql`select 1 as f`.as("f");';
  expect(castsIn("a.ts", text)).toEqual([]);
});
