import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { formerAddresses } from "#app/db/schema.ts";
import type { FormerAddress } from "./former-addresses.rules.ts";

export function listFormerAddresses(db: Database, accountId: string) {
  return db
    .select({ sealed: formerAddresses.sealed, leftAt: formerAddresses.leftAt })
    .from(formerAddresses)
    .where(eq(formerAddresses.accountId, accountId))
    .orderBy(formerAddresses.leftAt);
}

/** A prepared statement, for the batch in which the account leaves the address, when `guard` holds. */
export function addFormerAddress(db: Database, former: FormerAddress, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${formerAddresses} (id, account_id, sealed, left_at)
    select ${former.id}, ${former.accountId}, ${former.sealed}, ${former.leftAt} where ${guard}`,
  );
}
