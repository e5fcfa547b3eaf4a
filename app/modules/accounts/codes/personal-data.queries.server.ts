import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { type Owned, ownedRows } from "#app/db/owned-rows.server.ts";
import { quotaUses, codes, knownBrowsers, wrongStreaks } from "./schema.ts";

// Export: nothing; this module stores requests for a day, and hashes --------------------------------------------------

export function listKnownBrowsers(db: Database, addressHash: string) {
  return db
    .select({ browserHash: knownBrowsers.browserHash })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.addressHash, addressHash));
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

export function removeCodes(db: Database, owner: { accountId: AccountId; addresses: Owned[] }, guard: SQL) {
  const toAddresses = ownedRows(codes, { name: "address", time: "created_at" }, owner.addresses);
  return statement(
    db,
    sql`delete from ${codes} where (account_id = ${owner.accountId} or ${toAddresses}) and ${guard}`,
  );
}

export function removeQuotas(db: Database, quotas: Owned[], guard: SQL) {
  const uses = ownedRows(quotaUses, { name: "quota", time: "used_at" }, quotas);
  const streaks = ownedRows(wrongStreaks, { name: "quota", time: "last_wrong_at" }, quotas);
  return [
    statement(
      db,
      sql`delete from ${quotaUses} where (${uses} or ${partsOf("quota_uses", "used_at", quotas)}) and ${guard}`,
    ),
    statement(
      db,
      sql`delete from ${wrongStreaks} where (${streaks} or ${partsOf("wrong_streaks", "last_wrong_at", quotas)}) and ${guard}`,
    ),
  ] as const;
}

/** The parts of these quotas, whose names begin with theirs and a dot; a slash is the character after it. */
function partsOf(table: string, time: string, quotas: Owned[]): SQL {
  return sql`rowid in (
    select part.rowid from json_each(${JSON.stringify(quotas)}) owned join ${sql.identifier(table)} part
    on part.quota > owned.value ->> 'name' || '.' and part.quota < owned.value ->> 'name' || '/'
      and part.${sql.identifier(time)} <= owned.value ->> 'until')`;
}

export function removeBrowsers(db: Database, addressHashes: Owned[], guard: SQL) {
  const known = ownedRows(knownBrowsers, { name: "address_hash", time: "last_used_at" }, addressHashes);
  return statement(db, sql`delete from ${knownBrowsers} where ${known} and ${guard}`);
}
