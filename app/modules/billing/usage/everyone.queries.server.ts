/** Statements that range over all accounts, for the cron job. */
import { lt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { usageValues } from "./schema.ts";

/** Maxima of months before this one. Ids sort after every month. */
export function removeUsageBefore(db: Database, month: string) {
  return db.delete(usageValues).where(lt(usageValues.part, month));
}

/** What the sources that a subquery selects have reported. */
export function removeUsageOf(db: Database, sources: SQL) {
  return statement(db, sql`delete from ${usageValues} where part in ${sources}`);
}
