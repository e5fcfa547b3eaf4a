import { getTableConfig } from "drizzle-orm/sqlite-core";
import { code, type Page, section, sentence, table } from "../markdown.ts";
import { conditionOf, describeColumn, tables } from "../schema.ts";

type Table = (typeof tables)[number];

export function tablesPage(): Page {
  return {
    file: "tables.md",
    title: "Tables",
    about: [
      "The tables of D1, from the `schema.ts` of each module. Ids are a prefix and 26 letters and digits (128 random bits). `…At` is a time in",
      "milliseconds since 1970 UTC, `…Minor` an amount in the currency's minor unit. Columns have the same names in snake case. Tables are",
      "STRICT, and foreign keys have no CASCADE.",
    ].join("\n"),
    sections: [...tables.map(describe), uniqueIndexes()],
  };
}

function describe(described: Table): string {
  const { config, comment } = described;
  const references = new Map(
    config.foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference();
      return [columns[0]?.name ?? "", `→ ${code(getTableConfig(foreignTable).name)}`];
    }),
  );
  const together = config.primaryKeys.flatMap((key) => key.columns.map(({ name }) => name));
  const rows = config.columns.map((column) => [
    code(column.name),
    `${column.getSQLType()}${column.notNull ? "" : ", null"}`,
    [
      ...(column.primary || together.includes(column.name) ? ["primary"] : []),
      ...(column.isUnique ? ["unique"] : []),
      ...(references.has(column.name) ? [references.get(column.name) ?? ""] : []),
    ].join(", "),
    sentence(describeColumn(described, propertyOf(described, column))),
  ]);
  return section(code(config.name), comment, table(["column", "type", "key", "description"], rows));
}

/** The column's name in the code, which its comment is stored under. */
function propertyOf({ schema }: Table, column: Table["config"]["columns"][number]): string {
  return Object.entries(schema).find(([, value]) => value === column)?.[0] ?? column.name;
}

function uniqueIndexes(): string {
  const rows = tables.flatMap(({ config: { name, indexes } }) =>
    indexes.flatMap(({ config }) => {
      if (!config.unique) return [];
      const on = config.columns.map((part) => ("name" in part ? code(part.name) : "")).join(", ");
      const where = conditionOf(config.where);
      return [[code(config.name), code(name), on, where === "" ? "all" : code(where)]];
    }),
  );
  return section(
    "Unique indexes over several columns or some rows",
    table(["index", "table", "columns", "rows"], rows),
  );
}
