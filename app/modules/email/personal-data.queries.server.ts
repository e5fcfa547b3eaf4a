import type { AccountId } from "#app/core/id.ts";
import { asc, desc, or, type SQL, sql } from "drizzle-orm";
import { type Database } from "#app/db/client.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { codes } from "#app/modules/codes/schema.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { referrals } from "#app/modules/referrals/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { withdrawals } from "#app/modules/withdrawals/schema.ts";
import { mails } from "./schema.ts";

/**
 * Export. A row doesn't contain its recipient, so emails are found by id: those named after the account, its orders, waitlist entries,
 * withdrawals and referrals; and those with a code to the account's own address within the last day (codes to other addresses would
 * reveal whether these have an account). Erasure: nothing; the content is encrypted and wiped once it was sent or failed.
 */
export function listOwnEmails(db: Database, accountId: AccountId) {
  const { template, state, createdAt, sentAt } = mails;
  return db
    .select({ template, state, createdAt, sentAt })
    .from(mails)
    .where(isOwnEmail(accountId))
    .orderBy(asc(createdAt));
}

/** The same rows, newest only, with their names, for operators asked where an email is. */
export function listNewestEmails(db: Database, accountId: AccountId) {
  const { id, template, state, tries, createdAt, nextTryAt, sentAt } = mails;
  return db
    .select({ id, template, state, tries, createdAt, nextTryAt, sentAt })
    .from(mails)
    .where(isOwnEmail(accountId))
    .orderBy(desc(createdAt));
}

function isOwnEmail(accountId: AccountId) {
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  const orderIds = sql`select id from ${orders} where account_id = ${accountId}`;
  const entryIds = sql`select id from ${entries} where email_canonical = ${address}`;
  /** By any suffix after the owner's id. */
  const named = (owner: SQL) =>
    sql`${mails.id} in (
      select named.id from (${owner}) owner join ${mails} named
      on named.id > 'mail_' || owner.id || '.' and named.id < 'mail_' || owner.id || '/')`;
  const exactly = (owner: SQL, ...ends: string[]) =>
    sql`${mails.id} in (
      select 'mail_' || owner.id || ending.value from (${owner}) owner, json_each(${JSON.stringify(ends)}) ending)`;
  return or(
    named(orderIds),
    named(entryIds),
    named(sql`select ${accountId} as id`),
    // A referral has emails to the referrer and others to the friend.
    exactly(sql`select id from ${referrals} where referrer_id = ${accountId}`, ".earned", ".reversed"),
    exactly(
      sql`select id from ${referrals} where friend_id = ${accountId}`,
      ".discount-under-review",
      ".discount-refused",
    ),
    // These go to the address in the declaration, which may differ from that of the order's owner.
    exactly(sql`select id from ${withdrawals} where email = ${address}`, "", ".contested"),
    exactly(
      sql`select id from ${withdrawals} where declared_by = 'owner' and order_id in (${orderIds})`,
      "",
      ".contested",
    ),
    sql`${mails.id} in (select mail_id from ${codes} where address = ${address})`,
  );
}
