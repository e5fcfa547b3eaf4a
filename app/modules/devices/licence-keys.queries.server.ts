import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { licenceKeys } from "./schema.ts";

export function findLicenceKey(db: Database, accountId: string) {
  const { keyHash, sealed, rotatedAt } = licenceKeys;
  return db.select({ keyHash, sealed, rotatedAt }).from(licenceKeys).where(eq(licenceKeys.accountId, accountId));
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

export type NewKey = { accountId: string; keyHash: string; sealed: string; now: number };

/** The account's first key, when `guard` holds; one that has a key keeps it. */
export function addLicenceKey(db: Database, key: NewKey, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${licenceKeys} (account_id, key_hash, sealed, created_at)
    select id, ${key.keyHash}, ${key.sealed}, ${key.now} from ${accounts}
    where id = ${key.accountId} and state = 'active' and ${guard}
    on conflict (account_id) do nothing`,
  );
}

/** Another key in the place of the one that was seen, when `guard` holds: of two at once, one does it. */
export function replaceLicenceKey(db: Database, key: NewKey, seenHash: string, guard: SQL) {
  const { keyHash, sealed, now } = key;
  return db
    .update(licenceKeys)
    .set({ keyHash, sealed, rotatedAt: now })
    .where(and(eq(licenceKeys.accountId, key.accountId), eq(licenceKeys.keyHash, seenHash), guard));
}
