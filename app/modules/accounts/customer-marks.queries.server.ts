import { sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { accounts, customerMarks } from "./schema.ts";
import type { MethodMark } from "./customer-marks.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** Accounts whose mailbox isn't hashed yet, oldest first. */
export function listUnmarked(db: Database, limit: number) {
  return db
    .select({ id: accounts.id, address: accounts.emailCanonical, createdAt: accounts.createdAt })
    .from(accounts)
    .where(sql`${accounts.mailboxMarkedAt} is null and ${accounts.state} <> 'gone'`)
    .orderBy(accounts.createdAt)
    .limit(limit);
}

/** The account that a hash belongs to. */
export function findMarkOwner(db: Database, hash: string) {
  return db
    .select({ accountId: customerMarks.accountId })
    .from(customerMarks)
    .where(sql`${customerMarks.hash} = ${hash}`);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type MailboxMark = { hash: string; accountId: string; address: string; createdAt: number };

/** A mailbox belongs to the account created first. If an account's address changed meanwhile, it stays listed and is next. */
export function addMailboxMarks(db: Database, marks: MailboxMark[], now: number) {
  const rows = JSON.stringify(marks);
  return [
    statement(
      db,
      sql`
      insert into ${customerMarks} (hash, account_id, kind, first_at)
      select value ->> 'hash', value ->> 'accountId', 'mailbox', value ->> 'createdAt' from json_each(${rows}) where true
      on conflict (hash) do update set account_id = excluded.account_id, first_at = excluded.first_at
        where excluded.first_at < first_at`,
    ),
    statement(
      db,
      sql`
      update ${accounts} set mailbox_marked_at = ${now} from json_each(${rows}) mark
      where ${accounts.id} = mark.value ->> 'accountId' and email_canonical = mark.value ->> 'address'`,
    ),
  ] as const;
}

/** A payment method belongs to the account that paid with it first, whenever that is discovered. */
export function addMethodMarks(db: Database, accountId: string, marks: MethodMark[]) {
  return statement(
    db,
    sql`
    insert into ${customerMarks} (hash, account_id, kind, first_at)
    select value ->> 'hash', ${accountId}, 'payment-method', value ->> 'firstAt' from json_each(${JSON.stringify(marks)}) where true
    on conflict (hash) do update set account_id = excluded.account_id, first_at = excluded.first_at
      where excluded.first_at < first_at`,
  );
}
