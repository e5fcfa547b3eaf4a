import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { circlesOf, withoutComments } from "./imports.ts";

/** What strangers send is read here: nested deeply enough, it would exhaust the stack of a function that follows it without a bound. */
const files = globSync([
  "app/{http,api}/**/*.{ts,tsx}",
  "app/integrations/{email,sentry}/**/*.ts",
  "app/features/**/*.ts",
])
  .concat(globSync(["workers/*.ts", "workers/monitoring/**/*.ts"]))
  .filter((path) => !/\.test\.tsx?$|\/tests\//.test(path))
  .toSorted();

type Node = {
  type?: string;
  id?: { name?: string };
  init?: Node;
  callee?: Node;
  arguments?: Node[];
  name?: string;
  start: number;
  end: number;
};

/**
 * The functions of a file that call themselves, directly or through others of the file, and know no depth. A function that is passed on, as to
 * `map`, counts as called.
 */
function unboundedIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const code = withoutComments(path, text);
  const calls = new Map<string, string[]>();
  const bounded = new Set<string>();
  const visit = (node: unknown, enclosing: readonly string[]): void => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, enclosing));
    if (typeof node !== "object" || node === null) return;
    const { type, id, init, callee, arguments: given = [], start, end } = node as Node;
    const isFunction =
      type === "FunctionDeclaration" ||
      (type === "VariableDeclarator" && /^(Arrow)?FunctionExpression$/.test(init?.type ?? ""));
    const inside = isFunction && id?.name ? [...enclosing, id.name] : enclosing;
    if (isFunction && id?.name) calls.set(id.name, calls.get(id.name) ?? []);
    if (isFunction && id?.name && /\bdepth\b/.test(code.slice(start, end))) bounded.add(id.name);
    if (type === "CallExpression") {
      const names = [callee, ...given].flatMap((each) => (each?.type === "Identifier" && each.name ? [each.name] : []));
      for (const caller of enclosing) calls.get(caller)?.push(...names);
    }
    for (const child of Object.values(node)) visit(child, inside);
  };
  visit(parseSync(path, text).program, []);
  const known = new Map([...calls].map(([name, called]) => [name, called.filter((each) => calls.has(each))]));
  return circlesOf(known)
    .filter((circle) => !circle.some((name) => bounded.has(name)))
    .map((circle) => circle.join(", "));
}

test("a function that follows what strangers send counts its depth", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((path) => unboundedIn(path).map((name) => `${path} ${name}`))).toEqual([]);
});

test.each([
  ["a", "function a() { return a(); }"],
  ["a", "const a = () => [1].map(() => a());"],
  ["a", "const a = (b) => b.map(a);"],
  ["a, b", "function a() { return b(); } function b() { return c(() => a()); }"],
])("one that doesn't is found: %s in %s", (names, text) => expect(unboundedIn("a.ts", text)).toEqual([names]));

test("one that has a bound, or calls others, isn't", () => {
  expect(unboundedIn("a.ts", "function a(b, depth) { return depth > 9 ? b : a(b.c, depth + 1); }")).toEqual([]);
  expect(unboundedIn("a.ts", "function a() { return b(); } function b() { return 1; }")).toEqual([]);
});
