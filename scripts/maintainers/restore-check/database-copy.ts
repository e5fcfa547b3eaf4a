type Row = Record<string, string | number | null>;

/** All rows by table, in the order in which they were inserted. */
export type DatabaseCopy = ReadonlyMap<string, readonly Row[]>;

/** Copies what a point in time of D1's Time Travel contains. */
export async function copyRows(database: D1Database): Promise<DatabaseCopy> {
  const tables = await listTables(database);
  const answers = await database.batch<Row>(
    tables.map((table) => database.prepare(`select * from "${table}" order by rowid`)),
  );
  return new Map(tables.map((table, index) => [table, answers[index]?.results ?? []]));
}

/** Puts the database back in one transaction. Triggers would count rows a second time, so they are removed in the meantime. */
export async function restoreRows(database: D1Database, copy: DatabaseCopy): Promise<void> {
  const { results: triggers } = await database
    .prepare("select name, sql from sqlite_master where type = 'trigger'")
    .all<{ name: string; sql: string }>();
  const inserts = [...copy].flatMap(([table, rows]) =>
    rows.map((row) => {
      const names = Object.keys(row);
      const columns = names.map((name) => `"${name}"`).join(", ");
      const values = names.map(() => "?").join(", ");
      return database.prepare(`insert into "${table}" (${columns}) values (${values})`).bind(...Object.values(row));
    }),
  );
  await database.batch([
    database.prepare("pragma defer_foreign_keys = on"),
    ...triggers.map(({ name }) => database.prepare(`drop trigger "${name}"`)),
    ...[...copy.keys()].map((table) => database.prepare(`delete from "${table}"`)),
    ...inserts,
    ...triggers.map(({ sql }) => database.prepare(sql)),
  ]);
}

async function listTables(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .all<{ name: string }>();
  // Leaves out the platform's own: migrations, and Cloudflare's.
  return results.map(({ name }) => name).filter((name) => !/^(sqlite_|d1_|_cf_)/.test(name));
}
