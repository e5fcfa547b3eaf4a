import { DatabaseSync } from "node:sqlite";

/** A row of sqlite_master: what SQLite stores of a table, an index or a trigger. */
type Made = { type: "table" | "index" | "trigger"; name: string; table: string; sql: string };
type Column = { name: string; notnull: number; fallback: string | null };

/**
 * The statements that lead from the database of the first list to that of the second, with its rows. Columns are added where SQLite can;
 * any other change of a table copies it, since SQLite changes neither its constraints nor its columns. They were tried when this returns.
 */
export function changesBetween(before: readonly string[], after: readonly string[]): string[] {
  const [now, wanted] = [databaseOf(before), databaseOf(after)];
  const [old, next] = [madeIn(now), madeIn(wanted)];
  const isNew = (made: Made) => !old.some((other) => isSame(made, other));
  const isOver = (made: Made) => !next.some((other) => isSame(made, other));
  const tables = next.filter(({ type }) => type === "table").filter(isNew);
  const added = tables.filter(({ name }) => !has(old, name));
  const changed = tables
    .filter(({ name }) => has(old, name))
    .map(({ name, sql }) => ({ name, ...changeOf(name, sql, now, wanted) }));
  const dropped = old.filter(({ type, name }) => type === "table" && !has(next, name));
  // What hangs on a table that is dropped, for good or to be copied, is dropped with it.
  const lost = new Set([...dropped, ...changed.filter(({ isCopied }) => isCopied)].map(({ name }) => name));
  const hanging = (list: Made[]) => list.filter(({ type }) => type !== "table");
  const changes = [
    ...hanging(old)
      .filter((made) => isOver(made) && !lost.has(made.table))
      .map(({ type, name }) => `DROP ${type.toUpperCase()} "${name}"`),
    // Until the end, when each row has its parent again.
    ...(lost.size > 0 ? ["PRAGMA defer_foreign_keys = on"] : []),
    ...changed.flatMap(({ statements }) => statements),
    ...dropped.map(({ name }) => `DROP TABLE "${name}"`),
    ...added.map(({ sql }) => sql),
    ...hanging(next)
      .filter((made) => isNew(made) || lost.has(made.table))
      .map(({ sql }) => sql),
  ];
  now.exec("BEGIN");
  for (const statement of changes) now.exec(statement);
  now.exec("COMMIT");
  const made = madeIn(now);
  const missed = [...made.filter(isOver), ...next.filter((each) => !made.some((other) => isSame(each, other)))];
  if (missed.length > 0)
    throw new Error(`The changes don't lead to the schema: ${missed.map(({ name }) => name).join(", ")}`);
  return changes;
}

/** Adds the columns that are new at the end, or copies the table. */
function changeOf(table: string, sql: string, now: DatabaseSync, wanted: DatabaseSync) {
  const [known, columns] = [columnsOf(now, table), columnsOf(wanted, table)];
  const fresh = columns.filter(({ name }) => !has(known, name));
  const unfilled = fresh.find(({ notnull, fallback }) => notnull === 1 && fallback === null);
  if (unfilled)
    throw new Error(`${table}.${unfilled.name} is never null and has no default: existing rows have no value for it`);
  const additions = fresh.map(({ name }) => {
    const definition = sql.split("\n").find((line) => line.startsWith(`\t"${name}" `)) ?? "";
    return `ALTER TABLE "${table}" ADD ${definition.trim().replace(/,$/, "")}`;
  });
  now.exec("SAVEPOINT tried");
  for (const addition of additions) now.exec(addition);
  const isEnough = madeIn(now).some(
    (made) => made.name === table && isSame(made, { type: "table", name: table, table, sql }),
  );
  now.exec("ROLLBACK TO tried");
  now.exec("RELEASE tried");
  if (isEnough) return { isCopied: false, statements: additions };
  const common = columns
    .filter(({ name }) => has(known, name))
    .map(({ name }) => `"${name}"`)
    .join(", ");
  const copy = [
    `CREATE TABLE "${table}_copy" AS SELECT ${common} FROM "${table}"`,
    `DROP TABLE "${table}"`,
    sql,
    `INSERT INTO "${table}" (${common}) SELECT ${common} FROM "${table}_copy"`,
    `DROP TABLE "${table}_copy"`,
  ];
  return { isCopied: true, statements: copy };
}

function databaseOf(statements: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const statement of statements) database.exec(statement);
  return database;
}

/** Without what SQLite makes itself, such as the indexes of primary keys. */
function madeIn(database: DatabaseSync): Made[] {
  const rows = database.prepare(`select type, name, tbl_name as "table", sql from sqlite_master where sql is not null`);
  return rows.all() as Made[];
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  const rows = database.prepare(`select name, "notnull", dflt_value as fallback from pragma_table_info(?)`);
  return rows.all(table) as Column[];
}

const has = (list: readonly { name: string }[], name: string): boolean => list.some((each) => each.name === name);

const isSame = (one: Made, other: Made): boolean =>
  one.type === other.type && one.name === other.name && plain(one.sql) === plain(other.sql);

/** SQLite keeps the text as it was written, and adds columns in a line of their own style. */
const plain = (sql: string): string => sql.replaceAll(/\s*([(),])\s*|\s+/g, (_, sign?: string) => sign ?? " ");
