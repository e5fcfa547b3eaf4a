import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { accounts, referralLinks, referrals } from "#app/db/schema.ts";
import { listedFriendsMax, type ReferralState } from "./rules.ts";

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

export function readReferral<Row extends { state: string }>(row: Row) {
  // The table's CHECK holds the state.
  return { ...row, state: row.state as ReferralState };
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
