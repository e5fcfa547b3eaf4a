import { globSync, readFileSync } from "node:fs";
import { getTableName, isTable } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { withoutComments } from "./imports.ts";

/** The module or feature of each table, by its name in the code and by the one in the database. */
const owners = new Map(
  globSync("app/{modules,features}/**/*schema.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^export const (\w+) = sqliteTable\(\s*"(\w+)"/gm)].flatMap(
      ([, table = "", name = ""]) => [
        [table, { owner: moduleOf(path), table: name }] as const,
        [name, { owner: moduleOf(path), table: name }] as const,
      ],
    ),
  ),
);
const files = globSync("app/{modules,features}/*/**/*.server.ts").filter((path) => !path.endsWith(".test.ts"));

function moduleOf(path: string): string {
  return path.split("/")[2] ?? "";
}

/** Tables of other modules that a file writes, by their names in the database: with drizzle, or in SQL. Any may read them. */
function foreignWritesIn(path: string, text = readFileSync(path, "utf8")): string[] {
  const imported = parseSync(path, text).module.staticImports.flatMap(({ entries }) =>
    entries.map(({ importName, localName }) => [localName.value, importName.name ?? ""] as const),
  );
  const names = new Map(imported);
  const writes = withoutComments(path, text).matchAll(
    /\.(?:insert|update|delete)\(\s*([\w.]+)\s*\)|\b(?:insert (?:or \w+ )?into|update|delete from) (?:\$\{([\w.]+)\}|(\w+))/g,
  );
  const tables = [...writes].flatMap(([, ...written]) => {
    const name =
      written
        .find((each) => each !== undefined)
        ?.split(".")
        .at(-1) ?? "";
    const found = owners.get(names.get(name) ?? name);
    return found && found.owner !== moduleOf(path) ? [found.table] : [];
  });
  return [...new Set(tables)].toSorted();
}

test("every table belongs to one module", () => {
  const tables = Object.entries(schema).flatMap(([name, value]) => (isTable(value) ? [[name, value] as const] : []));
  const unowned = tables.filter(([name, table]) => !owners.has(name) || !owners.has(getTableName(table)));
  expect(unowned.map(([name]) => name)).toEqual(["jobCursors"]);
});

test("a table is written by its own module", () => {
  expect(files.length).toBeGreaterThan(150);
  const found = new Map<string, Set<string>>();
  for (const path of files) {
    const tables = foreignWritesIn(path);
    if (tables.length > 0) found.set(moduleOf(path), new Set([...(found.get(moduleOf(path)) ?? []), ...tables]));
  }
  expect(Object.fromEntries(found)).toEqual({});
});

test.each([
  ["with drizzle", 'import { orders } from "#app/modules/billing/orders/schema.ts"; db.delete(orders).where(a);'],
  ["by another name", 'import { orders as bought } from "../billing/orders/schema.ts"; db.update(bought).set(a);'],
  ["of a namespace", 'import * as theirs from "../billing/orders/schema.ts"; db.insert(theirs.orders).values(a);'],
  ["in SQL", "const a = sql`update orders set id = 1`;"],
  ["in SQL with drizzle's table", "const a = sql`insert into ${orders} (id) select 1`;"],
])("a write to another module's table is found: %s", (_how, text) => {
  expect(foreignWritesIn("app/modules/referrals/queries.server.ts", text)).toEqual(["orders"]);
  expect(foreignWritesIn("app/modules/billing/orders/queries.server.ts", text)).toEqual([]);
});

/** Each column with a closed list, and whether a CHECK of its table names it. */
const closedLists = Object.values(schema).flatMap((table) => {
  if (!isTable(table)) return [];
  const { checks, columns, name } = getTableConfig(table as SQLiteTable);
  const texts = checks.map(({ value }) => new SQLiteSyncDialect().sqlToQuery(value).sql);
  return columns
    .filter(({ enumValues }) => enumValues !== undefined && enumValues.length > 0)
    .map((column) => ({
      column: `${name}.${column.name}`,
      isChecked: texts.some((text) => text.startsWith(`"${name}"."${column.name}" in (`)),
    }));
});

test("a closed list of values is enforced by a CHECK", () => {
  expect(closedLists.length).toBeGreaterThan(30);
  expect(closedLists.filter(({ isChecked }) => !isChecked)).toEqual([]);
});
