import type { AccountId } from "#app/core/id.ts";
import { sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts, customerHashes } from "./schema.ts";
import type { HashedMethod } from "./customer-hashes.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export function findHashOwner(db: Database, hash: string) {
  return db
    .select({ accountId: customerHashes.accountId })
    .from(customerHashes)
    .where(sql`${customerHashes.hash} = ${hash}`);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type HashedMailbox = { hash: string; accountId: AccountId; address: string; createdAt: number };

/**
 * A mailbox belongs to the account created first. An account whose address changed meanwhile stays listed, and the next run hashes its
 * mailbox.
 */
export function addMailboxHashes(db: Database, hashes: HashedMailbox[], now: number) {
  const rows = JSON.stringify(hashes);
  return [
    statement(
      db,
      sql`
      insert into ${customerHashes} (hash, account_id, kind, first_at)
      select value ->> 'hash', value ->> 'accountId', 'mailbox', value ->> 'createdAt' from json_each(${rows}) where true
      on conflict (hash) do update set account_id = excluded.account_id, first_at = excluded.first_at
        where excluded.first_at < first_at`,
    ),
    statement(
      db,
      sql`
      update ${accounts} set mailbox_hashed_at = ${now} from json_each(${rows}) mailbox
      where ${accounts.id} = mailbox.value ->> 'accountId' and email_canonical = mailbox.value ->> 'address'`,
    ),
  ] as const;
}

/** A payment method belongs to the account that paid with it first, whenever that is discovered. */
export function addMethodHashes(db: Database, accountId: AccountId, hashes: HashedMethod[]) {
  return statement(
    db,
    sql`
    insert into ${customerHashes} (hash, account_id, kind, first_at)
    select value ->> 'hash', ${accountId}, 'payment-method', value ->> 'firstAt' from json_each(${JSON.stringify(hashes)}) where true
    on conflict (hash) do update set account_id = excluded.account_id, first_at = excluded.first_at
      where excluded.first_at < first_at`,
  );
}
