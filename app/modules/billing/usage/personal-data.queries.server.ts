import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { usageValues } from "./schema.ts";

/** For the export. */
export function listOwnUsage(db: Database, accountId: AccountId) {
  const { meter, part, value, reportedAt } = usageValues;
  return db.select({ meter, part, value, reportedAt }).from(usageValues).where(eq(usageValues.accountId, accountId));
}

/** For the erasure, if `guard` holds. */
export function removeUsage(db: Database, accountId: AccountId, guard: SQL) {
  return statement(db, sql`delete from ${usageValues} where account_id = ${accountId} and ${guard}`);
}
