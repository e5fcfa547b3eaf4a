import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

/** The one door to D1. `db.batch([…])` is the transaction: all of it or nothing, in one round trip. */
export function openDatabase(binding: D1Database) {
  return drizzle(binding, { casing: "snake_case" });
}

export type Database = ReturnType<typeof openDatabase>;

/**
 * A write in plain SQL that can stand in a batch: for conditional inserts, which the query builder can't say. drizzle's own
 * `db.run` loses its parameters there: its batch binds `stmt`, which a raw query doesn't carry.
 */
export function statement(db: Database, query: SQL) {
  const raw = db.run(query);
  return Object.assign(raw, { stmt: db.$client.prepare(raw.getQuery().sql) });
}

/** The statement before it in the batch changed a row: what follows happens as often as that, once. */
export const justChanged: SQL = sql`changes() > 0`;

/** The name of the newest migration that was applied, as wrangler notes it; null where none ever was. */
export async function findNewestMigration(db: Database): Promise<string | null> {
  const [table] = await db.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name = 'd1_migrations'`,
  );
  if (!table) return null;
  const [newest] = await db.all<{ name: string }>(sql`select name from d1_migrations order by name desc limit 1`);
  return newest?.name ?? null;
}
