import { globSync } from "node:fs";
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "#app/db/schema.ts";
import { commentsOf } from "./source.ts";

const dialect = new SQLiteSyncDialect({ casing: "snake_case" });
const comments = new Map(globSync("app/{db,modules/*}/*schema.ts").flatMap((path) => [...commentsOf(path)]));

/** Every table of the schema with the name that its comments are stored under. */
export const tables = Object.entries(schema)
  .flatMap(([name, value]) =>
    value instanceof SQLiteTable
      ? [{ name, schema: getTableColumns(value), config: getTableConfig(value), comment: comments.get(name) ?? "" }]
      : [],
  )
  .toSorted((left, right) => (left.config.name < right.config.name ? -1 : 1));

type Table = (typeof tables)[number];

/** Columns that most tables have and that need no description. */
const conventions: Readonly<Record<string, string>> = {
  accountId: "The account it belongs to.",
  createdAt: "When the row was added.",
  updatedAt: "When the row was last changed.",
  lastUsedAt: "When it was last used.",
  currency: "ISO 4217 code.",
  name: "As its owner named it.",
  keyHash: "SHA-256 of the key.",
};

/** The comment above a column, with value lists that states.md has replaced by a link to them. */
export function describeColumn(table: Table, property: string): string {
  const comment = comments.get(`${table.name}.${property}`) ?? conventions[property] ?? "";
  if (!comment.includes("- `")) return comment;
  const [name, column] = [table.config.name, columnOf(table, property)];
  // Without a CHECK, states.md doesn't list them.
  if (!stateLists.some((list) => list.name === `${name}.${column}`)) {
    const [what = "", ...values] = comment.split(/\s*- (?=`)/);
    return `${what} ${values.join("; ")}.`;
  }
  return `One of [these values](states.md#${name}${column}).`;
}

/** The column's name in the database: a property's own, unless the schema gives another. */
function columnOf(table: Table, property: string): string {
  const columns: Readonly<Record<string, { name: string }>> = table.schema;
  return (columns[property]?.name ?? property).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Enumerations that the database enforces (`table.column in ('a', 'b')`), with the column comment's text about each value. */
export const stateLists = tables.flatMap((table) =>
  table.config.checks.flatMap((check) => {
    const match = /^"(\w+)"\."(\w+)" in \((.*)\)$/.exec(dialect.sqlToQuery(check.value).sql);
    if (!match) return [];
    const [, owner = "", column = "", list = ""] = match;
    const property = Object.keys(table.schema).find((key) => columnOf(table, key) === column);
    const comment = comments.get(`${table.name}.${property}`) ?? "";
    const meanings = new Map(
      [...comment.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, word = "", text = ""]) => [word, text]),
    );
    // What is stored of a reason says what it means where it is decided.
    if (meanings.size === 0) return [];
    const states = list.split(", ").map((quoted) => quoted.slice(1, -1));
    return [{ name: `${owner}.${column}`, meanings, states }];
  }),
);

/** The condition of a partial index, as SQL. */
export function conditionOf(where: Parameters<typeof dialect.sqlToQuery>[0] | undefined): string {
  return where ? dialect.sqlToQuery(where).sql.replaceAll(/"(?:\w+"\.")?(\w+)"/g, "$1") : "";
}
