import { asc, desc, or, sql } from "drizzle-orm";
import { type Database } from "#app/db/client.server.ts";
import { accounts, codes, mails, orders, referrals } from "#app/db/schema.ts";

/**
 * What of a person stands in this room, to be taken along. A mail's row doesn't say whom it went to: found are those that go by
 * the name of the account, of an order of it or of a friend whom it brought, and those that brought a code to its own address within
 * the last day: what was mailed to a wished-for address would say whether somebody has it. Nothing is to be erased: what a mail says
 * is sealed, and wiped once it has left or failed.
 */
export function listOwnMails(db: Database, accountId: string) {
  const { template, state, createdAt, sentAt } = mails;
  return db
    .select({ template, state, createdAt, sentAt })
    .from(mails)
    .where(isOwnMail(accountId))
    .orderBy(asc(createdAt));
}

/** The same rows, the newest alone and by name: for whoever is asked where a mail is. */
export function listNewestMails(db: Database, accountId: string) {
  const { id, template, state, tries, createdAt, nextTryAt, sentAt } = mails;
  return db
    .select({ id, template, state, tries, createdAt, nextTryAt, sentAt })
    .from(mails)
    .where(isOwnMail(accountId))
    .orderBy(desc(createdAt));
}

function isOwnMail(accountId: string) {
  const orderIds = sql`select id from ${orders} where account_id = ${accountId}`;
  const broughtIds = sql`select id from ${referrals} where referrer_id = ${accountId}`;
  const address = sql`(select email_canonical from ${accounts} where id = ${accountId})`;
  const named = (owner: ReturnType<typeof sql>) =>
    sql`${mails.id} in (
      select named.id from (${owner}) owner join ${mails} named
      on named.id > 'mail_' || owner.id || '.' and named.id < 'mail_' || owner.id || '/')`;
  return or(
    named(orderIds),
    named(broughtIds),
    named(sql`select ${accountId} as id`),
    sql`${mails.id} in (select mail_id from ${codes} where address = ${address})`,
  );
}
