import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

/** Files that read rows: the schema gives a row its types, so that nothing has to be asserted about it. */
const readers = globSync([
  "app/modules/*/*queries.server.ts",
  "app/modules/*/{reads,commands}/*.server.ts",
  "app/{api,workflows,routes}/**/*.ts",
  "app/db/*.ts",
]).toSorted();

/** Casts that no declaration can replace. */
const allowed: Readonly<Record<string, { casts: string[]; why: string }>> = {
  "app/api/call.ts": {
    casts: ["input as CallInput<Who, Body>"],
    why: "The input has a body where the call has a schema of one: its type depends on a parameter.",
  },
  "app/api/preferences-calls.ts": {
    casts: ["body as Preferences"],
    why: "Its schema is made from the config, and has rejected everything else.",
  },
  "app/api/problem-schemas.ts": {
    casts: ["Object.keys(problems) as (keyof typeof problems)[]"],
    why: "`Object.keys` forgets the keys' type.",
  },
  "app/db/batch.server.ts": {
    casts: ["Object.values(statements).flat() as Statement[]", "Object.fromEntries(named) as ResultsOf<Named>"],
    why: "`Object.values` and `Object.fromEntries` forget the names' types.",
  },
  "app/db/json-column.ts": { casts: ["value as Data"], why: "JSON is typed here, once, after its kind was checked." },
  "app/db/prepared.server.ts": {
    casts: [
      "this.#prepared.mapResult(rows) as Result",
      "{ prepare: () => null } as unknown as D1Database",
      "values.map((_, index) => incomputable(sql.placeholder(String(index)))) as unknown as Values",
    ],
    why: "drizzle declares no types for mapped rows, and placeholders stand for values that come later.",
  },
  "app/modules/operators/reads/list-review.server.ts": {
    casts: ["reviewLists[name](app) as List<unknown, unknown>"],
    why: "Each review list has rows and keys of its own.",
  },
  "app/modules/subscriptions/queries.server.ts": {
    casts: ["Object.keys(part) as (keyof Subscription)[]"],
    why: "`Object.keys` forgets the keys' type.",
  },
};

/** `x as T` and `<T>x`, but not `as const`. */
function castsIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const found: string[] = [];
  const starts = new Set<number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, start, end, typeAnnotation } = node as Record<string, unknown>;
    const { typeName } = (typeAnnotation ?? {}) as { typeName?: { name?: string } };
    const isCast = type === "TSAsExpression" || type === "TSTypeAssertion" || type === "TSNonNullExpression";
    const isReal = isCast && typeName?.name !== "const";
    // `a as unknown as B` is one: both begin at the same place.
    if (isReal && !starts.has(Number(start))) found.push(text.slice(Number(start), Number(end)));
    if (isReal) starts.add(Number(start));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, text).program);
  return found;
}

test("rows are read without casts", () => {
  expect(readers.length).toBeGreaterThan(150);
  const found = readers.flatMap((path) => {
    const casts = castsIn(path);
    return casts.length > 0 ? [[path, casts] as const] : [];
  });
  const listed = Object.entries(allowed).map(([path, { casts }]) => [path, casts] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

test.each(["row.state as OrderState", "JSON.parse(row.json) as Looks", "(row as unknown as Order).id", "row.paidAt!"])(
  "a cast is found: %s",
  (text) => expect(castsIn("a.ts", `const a = ${text};`)).not.toEqual([]),
);

test("a constant, a renamed import and an alias in SQL don't count as casts", () => {
  const text = 'import { a as b } from "./a.ts"; const c = ["d"] as const; const e = sql`select 1 as f`.as("f");';
  expect(castsIn("a.ts", text)).toEqual([]);
});
