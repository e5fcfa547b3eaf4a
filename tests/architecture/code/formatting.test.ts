import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

/**
 * Code that has no effect but on the formatter: `[...["a", "b"], ...["c"]]` breaks the line where the author wanted it, and makes readers
 * look for a meaning. A long list may be long, or have `// oxfmt-ignore` above it.
 */
function lineBreakTricks(path: string, text = readFileSync(path, "utf8")): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: string[] = [];
  visit(program, null, ({ start }) => found.push(`${path}:${text.slice(0, start).split("\n").length}`));
  return found;
}

type Node = { type: string; start: number; argument?: Node; expression?: Node; types?: Node[]; typeAnnotation?: Node };

function visit(value: unknown, parent: Node | null, report: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const part of value) visit(part, parent, report);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const node = "type" in value && typeof value.type === "string" ? (value as Node) : parent;
  if (node !== null && node !== parent && isTrick(node, parent)) report(node);
  for (const part of Object.values(value)) visit(part, node, report);
}

function isTrick(node: Node, parent: Node | null): boolean {
  if (node.type === "SpreadElement") {
    const literal = parent?.type === "ObjectExpression" ? "ObjectExpression" : "ArrayExpression";
    let spread = node.argument;
    while (spread?.expression) spread = spread.expression;
    return spread?.type === literal;
  }
  return (
    node.type === "TSParenthesizedType" && parent?.type === "TSUnionType" && node.typeAnnotation?.type === "TSUnionType"
  );
}

describe("code that is written for the formatter alone", () => {
  const files = globSync(["{app,workers,tests,scripts,bench}/**/*.{ts,tsx,mjs}", "*.ts"])
    .filter((path) => !path.includes("node_modules") && !path.endsWith(".d.ts"))
    .toSorted();

  test("is in no file", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((path) => lineBreakTricks(path))).toEqual([]);
  });

  test.each([
    'const list = [...["a", "b"], ...["c"]];',
    'call(...["a"], ...rest);',
    'const list = [...(["a", "b"] as const), ...(["c"] as const)];',
    "const one = { ...{ a: 1 }, b: 2 };",
    'type Name = ("a" | "b") | ("c" | "d");',
    'type Few = Pick<App, | ("a" | "b") | "c">;',
  ])("is found: %s", (text) => {
    expect(lineBreakTricks("tried.ts", text)).not.toEqual([]);
  });

  test.each([
    "const list = [...others, ...(isMore ? [1] : [])];",
    "const one = { ...other, ...(isMore && { a: 1 }) };",
    'type Names = ("a" | "b")[] | "c";',
    "const field = <Field {...{ name, label }} />;",
  ])("is not confused with code that has a meaning: %s", (text) => {
    expect(lineBreakTricks("tried.tsx", text)).toEqual([]);
  });
});
