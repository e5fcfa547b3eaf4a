import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

/** Files that read rows: the schema gives a row its types, so that nothing has to be asserted about it. */
const readers = globSync([
  "app/modules/*/*queries.server.ts",
  "app/modules/*/{reads,commands}/*.server.ts",
  "app/{workflows,routes}/**/*.server.ts",
  "app/db/*.ts",
]).toSorted();

/** Casts that no declaration can replace. */
const allowed: Readonly<Record<string, string>> = {
  "app/db/batch.server.ts": "`Object.fromEntries` forgets the names' types.",
  "app/db/json-column.ts": "JSON is typed here, once, after its kind was checked.",
  "app/db/prepared.server.ts": "drizzle doesn't declare the parts of a prepared query that its batch reads.",
  "app/db/watch-trips.server.ts": "A proxy's members are unknown.",
  "app/modules/operators/reads/list-review.server.ts": "Each review list has rows and keys of its own.",
  "app/modules/subscriptions/queries.server.ts": "`Object.keys` forgets the keys' type.",
};

/** `x as T` and `<T>x`, but not `as const`. */
function castsIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, start, end, typeAnnotation } = node as Record<string, unknown>;
    const { typeName } = (typeAnnotation ?? {}) as { typeName?: { name?: string } };
    const isCast = type === "TSAsExpression" || type === "TSTypeAssertion" || type === "TSNonNullExpression";
    if (isCast && typeName?.name !== "const") found.push(text.slice(Number(start), Number(end)));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, text).program);
  return found;
}

test("rows are read without casts", () => {
  expect(readers.length).toBeGreaterThan(150);
  expect(readers.filter((path) => castsIn(path).length > 0)).toEqual(Object.keys(allowed));
});

test.each(["row.state as OrderState", "JSON.parse(row.json) as Looks", "(row as unknown as Order).id", "row.paidAt!"])(
  "a cast is found: %s",
  (text) => expect(castsIn("a.ts", `const a = ${text};`)).not.toEqual([]),
);

test("a constant, a renamed import and an alias in SQL don't count as casts", () => {
  const text = 'import { a as b } from "./a.ts"; const c = ["d"] as const; const e = sql`select 1 as f`.as("f");';
  expect(castsIn("a.ts", text)).toEqual([]);
});
