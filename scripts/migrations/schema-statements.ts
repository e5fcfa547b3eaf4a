import { is, SQL } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, type SQLiteColumn, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "#app/db/schema.ts";

const dialect = new SQLiteSyncDialect({ casing: "snake_case" });

/** The statements that make an empty database what the schema says: each table with its indexes, then the triggers. */
export function schemaStatements(): string[] {
  const tables = Object.values(schema)
    .filter((value) => value instanceof SQLiteTable)
    .toSorted((one, other) => (getTableConfig(one).name < getTableConfig(other).name ? -1 : 1));
  return [...tables.flatMap((table) => [tableOf(table), ...indexesOf(table)]), ...schema.triggers];
}

function tableOf(table: SQLiteTable): string {
  const { name, columns, primaryKeys, foreignKeys, checks } = getTableConfig(table);
  const lines = [
    ...columns.map(columnOf),
    ...primaryKeys.map((key) => `PRIMARY KEY(${listOf(key.columns)})`),
    ...foreignKeys.map((key) => {
      const { columns: own, foreignTable, foreignColumns } = key.reference();
      return `FOREIGN KEY (${listOf(own)}) REFERENCES "${getTableConfig(foreignTable).name}"(${listOf(foreignColumns)})`;
    }),
    ...checks.map((check) => `CONSTRAINT "${check.name}" CHECK(${render(check.value)})`),
  ];
  return `CREATE TABLE "${name}" (\n\t${lines.join(",\n\t")}\n) STRICT`;
}

function columnOf(column: SQLiteColumn): string {
  const type = `${nameOf(column)} ${column.getSQLType()}`;
  const rest = [
    column.primary && " PRIMARY KEY",
    column.default !== undefined && ` DEFAULT ${literal(column.mapToDriverValue(column.default))}`,
    column.notNull && " NOT NULL",
  ];
  return [type, ...rest.filter(Boolean)].join("");
}

function indexesOf(table: SQLiteTable): string[] {
  const { name, columns, indexes } = getTableConfig(table);
  return [
    ...columns
      .filter((column) => column.isUnique)
      .map((column) => `CREATE UNIQUE INDEX "${column.uniqueName}" ON "${name}" (${nameOf(column)})`),
    ...indexes.map(({ config }) => {
      const parts = config.columns.map((part) => (is(part, SQL) ? render(part) : nameOf(part)));
      const where = config.where ? ` WHERE ${render(config.where)}` : "";
      return `CREATE ${config.unique ? "UNIQUE " : ""}INDEX "${config.name}" ON "${name}" (${parts.join(", ")})${where}`;
    }),
  ];
}

const render = (part: SQL): string => dialect.sqlToQuery(part.inlineParams()).sql;

const listOf = (columns: readonly { name: string; keyAsName?: boolean }[]): string => columns.map(nameOf).join(", ");

/** As Drizzle's queries name it: a column without a name of its own has its property's, in snake case. */
const nameOf = ({ name, keyAsName }: { name: string; keyAsName?: boolean }): string =>
  `"${keyAsName === false ? name : toSnakeCase(name)}"`;

const literal = (value: unknown): string =>
  typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
