import { sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { accounts, customerMarks } from "./schema.ts";
import type { MethodMark } from "./customer-marks.rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** Accounts whose mailbox has no mark so far, oldest first. */
export function listUnmarked(db: Database, limit: number) {
  return db
    .select({ id: accounts.id, address: accounts.emailCanonical, createdAt: accounts.createdAt })
    .from(accounts)
    .where(sql`${accounts.mailboxMarkedAt} is null and ${accounts.state} <> 'gone'`)
    .orderBy(accounts.createdAt)
    .limit(limit);
}

/** Whose a mark is. */
export function findMarkOwner(db: Database, hash: string) {
  return db
    .select({ accountId: customerMarks.accountId })
    .from(customerMarks)
    .where(sql`${customerMarks.hash} = ${hash}`);
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

type MailboxMark = { hash: string; accountId: string; address: string; createdAt: number };

/** A mailbox belongs to the account that was made first. One whose address changed meanwhile stays unmarked, and is next. */
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

/** A payment method belongs to the account that paid by it first, whenever that is found. */
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
