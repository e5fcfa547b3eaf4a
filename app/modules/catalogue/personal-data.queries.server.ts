import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { preferences } from "./schema.ts";

// Export --------------------------------------------------------------------------------------------------------------

export function listOwnPreferences(db: Database, accountId: AccountId) {
  const { chosen, version, updatedAt, changedBy, beforeDevices } = preferences;
  return db
    .select({ chosen, version, updatedAt, changedBy, beforeDevices })
    .from(preferences)
    .where(eq(preferences.accountId, accountId));
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

export function removePreferences(db: Database, accountId: AccountId, guard: SQL) {
  return statement(db, sql`delete from ${preferences} where account_id = ${accountId} and ${guard}`);
}
