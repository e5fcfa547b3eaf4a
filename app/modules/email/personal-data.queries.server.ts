import type { AccountId } from "#app/core/id.ts";
import { and, asc, desc, inArray, or, type SQL, sql } from "drizzle-orm";
import { type Database } from "#app/db/client.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { codes } from "#app/modules/codes/schema.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { referrals } from "#app/modules/referrals/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { withdrawals } from "#app/modules/withdrawals/schema.ts";
import { emails } from "./schema.ts";

/**
 * Export. A row doesn't contain its recipient, so emails are found by id: those named after the account, its orders, waitlist entries,
 * withdrawals and referrals; and those with a code to the account's own address within the last day (codes to other addresses would
 * reveal whether these have an account). Erasure: nothing; the content is encrypted and wiped once it was sent or failed.
 */
export function listOwnEmails(db: Database, accountId: AccountId) {
  const { template, state, createdAt, sentAt } = emails;
  return db
    .select({ template, state, createdAt, sentAt })
    .from(emails)
    .where(isOwnEmail(accountId))
    .orderBy(asc(createdAt));
}

/** The same rows, newest only, with their names, for operators asked where an email is. */
export function listNewestEmails(db: Database, accountId: AccountId) {
  const { id, template, state, tries, createdAt, nextTryAt, sentAt } = emails;
  return db
    .select({ id, template, state, tries, createdAt, nextTryAt, sentAt })
    .from(emails)
    .where(isOwnEmail(accountId))
    .orderBy(desc(createdAt));
}

/** Emails that are named after a referral, by recipient. */
const toReferrer = ["reward-earned", "reward-reversed"] as const;
const toFriend = ["friend-discount-review", "friend-discount-refused"] as const;

function isOwnEmail(accountId: AccountId) {
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  const orderIds = sql`select id from ${orders} where account_id = ${accountId}`;
  const entryIds = sql`select id from ${entries} where email_canonical = ${address}`;
  /** Named after a row: by its id, alone or before a dot. */
  const named = (owner: SQL) =>
    sql`${emails.id} in (
      select named.id from (${owner}) owner join ${emails} named
      on named.id >= 'mail_' || owner.id and named.id < 'mail_' || owner.id || '/')`;
  return or(
    named(orderIds),
    named(entryIds),
    named(sql`select ${accountId} as id`),
    and(named(sql`select id from ${referrals} where referrer_id = ${accountId}`), inArray(emails.template, toReferrer)),
    and(named(sql`select id from ${referrals} where friend_id = ${accountId}`), inArray(emails.template, toFriend)),
    // These go to the address in the declaration, which may differ from that of the order's owner.
    named(sql`select id from ${withdrawals} where email = ${address}`),
    named(sql`select id from ${withdrawals} where declared_by = 'owner' and order_id in (${orderIds})`),
    sql`${emails.id} in (select mail_id from ${codes} where address = ${address})`,
  );
}
