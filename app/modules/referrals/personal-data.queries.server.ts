import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { type Owned, ownedRows } from "#app/db/owned-rows.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { friendDiscounts, referralLinks, referrals, referralTouches } from "./schema.ts";

/** What of a person stands in this module, to be taken along: who the others are, and when exactly they came, is theirs ------- */

export function listOwnLinks(db: Database, accountId: string) {
  const { code, visits, createdAt } = referralLinks;
  return db.select({ code, visits, createdAt }).from(referralLinks).where(eq(referralLinks.accountId, accountId));
}

export function listBrought(db: Database, accountId: string) {
  const { state, signedUpAt, voidWhy } = referrals;
  const month = sql<string>`strftime('%Y-%m', ${signedUpAt} / 1000, 'unixepoch')`;
  // In the order of their ids, which is none: the order of sign-ups would tell more than the months do.
  return db
    .select({ state, voidWhy, month })
    .from(referrals)
    .where(eq(referrals.referrerId, accountId))
    .orderBy(month, referrals.id);
}

/** The discount that a friend's link brought them. */
export function listOwnDiscounts(db: Database, accountId: string) {
  const { state, why, amountMinor, currency, createdAt, decidedAt, paidAt } = friendDiscounts;
  return db
    .select({ state, why, amountMinor, currency, createdAt, decidedAt, paidAt })
    .from(friendDiscounts)
    .where(eq(friendDiscounts.friendId, accountId));
}

/** And to be erased, when `guard` holds; who brought whom stays, since it holds ids of accounts alone ------------------------ */

export function removeLink(db: Database, accountId: string, guard: SQL) {
  return statement(db, sql`delete from ${referralLinks} where account_id = ${accountId} and ${guard}`);
}

/** Nobody is left who could have the rewards that aren't given so far; and of a friend's cards and of what was said of them nothing stays. */
export function endReferrals(db: Database, accountId: string, now: number, guard: SQL) {
  return [
    statement(
      db,
      sql`
      update ${referrals} set state = 'void', void_why = 'gone', void_at = ${now}, waits_until = null
      where referrer_id = ${accountId} and state not in ('approved', 'void') and ${guard}`,
    ),
    statement(
      db,
      sql`
      update ${referrals} set cards = null, decision = null
      where (friend_id = ${accountId} or referrer_id = ${accountId}) and ${guard}`,
    ),
    statement(
      db,
      sql`
      update ${friendDiscounts} set decision = null, why = case when state in ('due', 'under-review') then 'gone' else why end,
        state = case when state in ('due', 'under-review') then 'refused' else state end
      where friend_id = ${accountId} and ${guard}`,
    ),
  ] as const;
}

/** Before the entries are blank, by which they are found: whose link had been opened before the waitlist was joined. */
export function removeTouches(db: Database, owner: { accountId: string; addresses: Owned[] }, guard: SQL) {
  const theirs = ownedRows(entries, { name: "email_canonical", time: "created_at" }, owner.addresses);
  return statement(
    db,
    sql`
    delete from ${referralTouches} where ${guard} and entry_id in (
      select id from ${entries} where ${theirs} and not exists (
        select 1 from ${accounts} where ${accounts.emailCanonical} = ${entries.emailCanonical}
          and ${accounts.id} <> ${owner.accountId}))`,
  );
}
