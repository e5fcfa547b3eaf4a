import type { FormerAddressId, AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { formerAddresses } from "./addresses.schema.ts";
import type { FormerAddress } from "./former-addresses.rules.ts";

export function listFormerAddresses(db: Database, accountId: AccountId) {
  return db
    .select({ sealed: formerAddresses.sealed, leftAt: formerAddresses.leftAt })
    .from(formerAddresses)
    .where(eq(formerAddresses.accountId, accountId))
    .orderBy(formerAddresses.leftAt);
}

/** Stores the address that an account loses, in the batch that changes it, if `guard` holds. */
export function addFormerAddress(db: Database, former: FormerAddress, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${formerAddresses} (id, account_id, sealed, left_at, address_hash)
    select ${former.id}, ${former.accountId}, ${former.sealed}, ${former.leftAt}, ${former.addressHash} where ${guard}`,
  );
}

export function changeAddressHash(db: Database, id: FormerAddressId, addressHash: string) {
  return db.update(formerAddresses).set({ addressHash }).where(eq(formerAddresses.id, id));
}
