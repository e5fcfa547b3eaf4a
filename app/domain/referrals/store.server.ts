import { and, count, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { accounts, codes, referralLinks, referrals, tombstones } from "#app/db/schema.ts";
import { listedFriendsMax } from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function findLink(db: Database, accountId: string) {
  return db.select().from(referralLinks).where(eq(referralLinks.accountId, accountId));
}

/** Which of these codes are somebody's who may refer. Whoever is leaving or gone brings nobody any more. */
export function listUsableCodes(db: Database, codes: string[]) {
  return db
    .select({ code: referralLinks.code })
    .from(referralLinks)
    .innerJoin(accounts, eq(accounts.id, referralLinks.accountId))
    .where(and(inArray(referralLinks.code, codes), eq(accounts.state, "active")));
}

export function countFriends(db: Database, accountId: string) {
  return db.select({ count: count() }).from(referrals).where(eq(referrals.referrerId, accountId));
}

/** Who brought this account, if anybody did. */
export function findReferralOf(db: Database, friendId: string) {
  return db
    .select({ state: referrals.state, signedUpAt: referrals.signedUpAt })
    .from(referrals)
    .where(eq(referrals.friendId, friendId));
}

/** Accounts whose sign-up carried somebody's code, as long as the used code is kept (a day), and that have no referral. */
export function listUnattributed(db: Database, limit: number) {
  const code = sql<string>`json_extract(${codes.carried}, '$.referralCode')`;
  return db
    .select({ friendId: accounts.id, code })
    .from(codes)
    .innerJoin(accounts, and(eq(accounts.emailCanonical, codes.address), gte(accounts.createdAt, codes.createdAt)))
    .innerJoin(referralLinks, eq(referralLinks.code, code))
    .leftJoin(referrals, eq(referrals.friendId, accounts.id))
    .where(and(eq(codes.purpose, "sign-up"), eq(codes.state, "used"), isNull(referrals.id)))
    .limit(limit);
}

export function listFriends(db: Database, accountId: string) {
  return db
    .select({ id: referrals.id, signedUpAt: referrals.signedUpAt })
    .from(referrals)
    .where(eq(referrals.referrerId, accountId))
    .orderBy(desc(referrals.signedUpAt))
    .limit(listedFriendsMax);
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** One link per account; of two that are drawn at the same time the first one stays. */
export function addLink(db: Database, link: { accountId: string; code: string; now: number }) {
  return db
    .insert(referralLinks)
    .values({ accountId: link.accountId, code: link.code, createdAt: link.now })
    .onConflictDoNothing();
}

/** Added up in the statement, so that visits at the same time all count. */
export function addVisit(db: Database, code: string) {
  return db
    .update(referralLinks)
    .set({ visits: sql`${referralLinks.visits} + 1` })
    .where(eq(referralLinks.code, code));
}

export type NewReferral = { id: string; friendId: string; code: string; tombstone: string; now: number };

/**
 * The friend was brought by whoever has the code: once, by one person, never by oneself. Somebody who was here before and left
 * is no new friend: the row says so, and is worth nothing.
 */
export function addReferral(db: Database, referral: NewReferral) {
  return statement(
    db,
    sql`
    insert into ${referrals} (id, referrer_id, friend_id, state, signed_up_at)
    select ${referral.id}, link.account_id, ${referral.friendId},
      case when exists (select 1 from ${tombstones} where address_hash = ${referral.tombstone}) then 'void' else 'signed-up' end,
      ${referral.now}
    from ${referralLinks} link join ${accounts} referrer on referrer.id = link.account_id
    where link.code = ${referral.code} and referrer.state = 'active' and link.account_id <> ${referral.friendId}
    on conflict (friend_id) do nothing`,
  );
}
