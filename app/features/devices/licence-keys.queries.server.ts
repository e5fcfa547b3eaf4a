import type { AccountId } from "#app/core/id.ts";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { licenceKeys } from "./schema.ts";

export const findLicenceKey = prepared((db: Database, accountId: AccountId) => {
  const { keyHash, sealed, rotatedAt } = licenceKeys;
  return db.select({ keyHash, sealed, rotatedAt }).from(licenceKeys).where(eq(licenceKeys.accountId, accountId));
});

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export type NewKey = { accountId: AccountId; keyHash: string; sealed: string; now: number };

/** Adds the account's first key, if `guard` holds; an existing key stays. */
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

/** Replaces the key that was read, if `guard` holds. Of two concurrent requests only one does. */
export function replaceLicenceKey(db: Database, key: NewKey, seenHash: string, guard: SQL) {
  const { keyHash, sealed, now } = key;
  return db
    .update(licenceKeys)
    .set({ keyHash, sealed, rotatedAt: now })
    .where(and(eq(licenceKeys.accountId, key.accountId), eq(licenceKeys.keyHash, seenHash), guard));
}
