import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { DatabaseBinding } from "./wrap-database.server.ts";

/** The only access to D1. `db.batch([…])` is the transaction: all or nothing, in one round trip. */
export function openDatabase(binding: DatabaseBinding) {
  // drizzle asks for all of D1, and uses this.
  return drizzle(binding as D1Database, { casing: "snake_case" });
}

export type Database = ReturnType<typeof openDatabase>;

/**
 * A write in plain SQL that can be part of a batch: for conditional inserts, which the query builder can't express. drizzle's own
 * `db.run` loses its parameters there: its batch binds `stmt`, which a raw query doesn't have.
 */
export function statement(db: Database, query: SQL) {
  const raw = db.run(query);
  return Object.assign(raw, { stmt: db.$client.prepare(raw.getQuery().sql) });
}

/** True if the batch's previous statement changed a row. A statement with this condition takes effect exactly as often as that one. */
export const justChanged: SQL = sql`changes() > 0`;

/** The name of the newest applied migration, as recorded by wrangler; null where none has been applied. */
export async function findNewestMigration(db: Database): Promise<string | null> {
  const [table] = await db.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name = 'd1_migrations'`,
  );
  if (!table) return null;
  const [newest] = await db.all<{ name: string | null }>(sql`select max(name) as name from d1_migrations`);
  return newest?.name ?? null;
}
