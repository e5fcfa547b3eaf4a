import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { getTableName, isTable } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { borrowedTables } from "./borrowed-tables.ts";
import { schemaFile } from "./layers.ts";

/** The module of each table, by its name in the code and by the one in the database. */
const owners = new Map(
  globSync("app/modules/*/*schema.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^export const (\w+) = sqliteTable\(\s*"(\w+)"/gm)].flatMap(
      ([, table = "", name = ""]) => [
        [table, { owner: moduleOf(path), table }] as const,
        [name, { owner: moduleOf(path), table }] as const,
      ],
    ),
  ),
);
const files = globSync("app/modules/*/**/*.server.ts").filter((path) => !path.endsWith(".test.ts"));

function moduleOf(path: string): string {
  return path.split("/")[2] ?? "";
}

/** Tables of other modules: imported from their schema, or named in SQL. */
function borrowedBy(path: string, text = readFileSync(path, "utf8")): string[] {
  const imported = parseSync(path, text).module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const name = moduleRequest.value;
    const file = name.startsWith("#") ? name.slice(1) : posix.join(dirname(path), name);
    return schemaFile.test(file) ? entries.map(({ importName }) => importName.name ?? "*") : [];
  });
  const named = [...text.matchAll(/\b(?:from|join|update|into) (\w+)/g)].map(([, name = ""]) => name);
  const others = [...imported, ...named].flatMap((name) => {
    const found = owners.get(name) ?? (name === "*" ? { owner: "", table: "*" } : null);
    return found && found.owner !== moduleOf(path) ? [found.table] : [];
  });
  return [...new Set(others)].toSorted();
}

test("every table belongs to one module", () => {
  const tables = Object.entries(schema).flatMap(([name, value]) => (isTable(value) ? [[name, value] as const] : []));
  const unowned = tables.filter(([name, table]) => !owners.has(name) || !owners.has(getTableName(table)));
  expect(unowned.map(([name]) => name)).toEqual(["jobCursors"]);
});

test("a module's files access its own tables, and those of others only with a listed reason", () => {
  expect(files.length).toBeGreaterThan(150);
  const found = files.flatMap((path) => {
    const tables = borrowedBy(path);
    return tables.length > 0 ? [[path.replace("app/modules/", ""), tables] as const] : [];
  });
  const listed = Object.entries(borrowedTables).map(([path, { tables }]) => [path, tables] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

test.each([
  ["imported", 'import { orders } from "#app/modules/orders/schema.ts";'],
  ["by another name", 'import { orders as bought } from "../orders/schema.ts";'],
  ["named in SQL", "const a = sql`select 1 from orders where id = 1`;"],
  ["changed in SQL", "const a = sql`update orders set id = 1`;"],
])("access to another module's table is found: %s", (_how, text) => {
  expect(borrowedBy("app/modules/ledger/queries.server.ts", text)).toEqual(["orders"]);
  expect(borrowedBy("app/modules/orders/queries.server.ts", text.replace("../orders", "."))).toEqual([]);
});

test("access to all tables of another module is found", () => {
  const text = 'import * as theirs from "#app/modules/orders/schema.ts";';
  expect(borrowedBy("app/modules/ledger/queries.server.ts", text)).toEqual(["*"]);
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
