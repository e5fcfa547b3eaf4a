import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { friendDiscounts, referralLinks, referrals, referralTouches } from "./schema.ts";

// Export: without who the friends are and exactly when they signed up, which is their data ----------------------------

export function listOwnLinks(db: Database, accountId: AccountId) {
  const { code, visits, createdAt } = referralLinks;
  return db.select({ code, visits, createdAt }).from(referralLinks).where(eq(referralLinks.accountId, accountId));
}

export function listReferred(db: Database, accountId: AccountId) {
  const { state, signedUpAt, voidWhy } = referrals;
  const month = sql<string>`strftime('%Y-%m', ${signedUpAt} / 1000, 'unixepoch')`;
  // Sorted by their random ids: the order of sign-ups would reveal more than the months do.
  return db
    .select({ state, voidWhy, month })
    .from(referrals)
    .where(eq(referrals.referrerId, accountId))
    .orderBy(month, referrals.id);
}

/** The discount that the account got as a friend. */
export function listOwnDiscounts(db: Database, accountId: AccountId) {
  const { state, why, amountMinor, currency, createdAt, decidedAt, paidAt } = friendDiscounts;
  return db
    .select({ state, why, amountMinor, currency, createdAt, decidedAt, paidAt })
    .from(friendDiscounts)
    .where(eq(friendDiscounts.friendId, accountId));
}

// Erasure, if `guard` holds; referrals stay, since their rows hold account ids only -----------------------------------

export function removeLink(db: Database, accountId: AccountId, guard: SQL) {
  return statement(db, sql`delete from ${referralLinks} where account_id = ${accountId} and ${guard}`);
}

/** Voids rewards that weren't given yet, and removes the hashes of cards and operators' reasons. */
export function endReferrals(db: Database, accountId: AccountId, now: number, guard: SQL) {
  return [
    statement(
      db,
      sql`
      update ${referrals} set state = 'void', void_why = 'account-erased', void_at = ${now}, waits_until = null
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
      update ${friendDiscounts} set decision = null, why = case when state in ('due', 'under-review') then 'account-erased' else why end,
        state = case when state in ('due', 'under-review') then 'refused' else state end
      where friend_id = ${accountId} and ${guard}`,
    ),
  ] as const;
}

/** Removes the referral links that were opened before `requests`, a select of their ids. */
export function removeTouches(db: Database, requests: SQL, guard: SQL) {
  return statement(db, sql`delete from ${referralTouches} where ${guard} and entry_id in (${requests})`);
}
