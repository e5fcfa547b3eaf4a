import type { ReferralId } from "#app/core/id.ts";
import { and, count, eq, lte, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { referrals } from "./schema.ts";
import type { Cursor } from "#app/core/cursor.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export function findReferral(db: Database, id: ReferralId) {
  return db
    .select({
      id: referrals.id,
      friendId: referrals.friendId,
      state: referrals.state,
      signedUpAt: referrals.signedUpAt,
    })
    .from(referrals)
    .where(eq(referrals.id, id));
}

/** For operators: sign-ups held because of a burst, longest waiting first. */
export function listReferralsUnderReview(db: Database, after: Cursor | null, limit: number) {
  const referrer = sql`(select email from ${accounts} where id = ${referrals.referrerId})`;
  return db
    .select({
      id: referrals.id,
      referrerId: referrals.referrerId,
      referrer: sql<string>`${referrer}`.as("referrer"),
      friendId: referrals.friendId,
      friend: sql<string>`${accounts.email}`.as("friend"),
      signedUpAt: referrals.signedUpAt,
      waitsUntil: referrals.waitsUntil,
    })
    .from(referrals)
    .innerJoin(accounts, eq(accounts.id, referrals.friendId))
    .where(and(eq(referrals.state, "under-review"), isAfter([referrals.waitsUntil, referrals.id], after)))
    .orderBy(referrals.waitsUntil, referrals.id)
    .limit(limit);
}

export function countReferralsUnderReview(db: Database) {
  return db.select({ count: count() }).from(referrals).where(eq(referrals.state, "under-review"));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** Releases a sign-up about which no operator decided within the review period. */
export function releaseReviewed(db: Database, id: ReferralId, now: number) {
  return (
    db
      .update(referrals)
      // Due for the cron job, in case the request doesn't process it.
      .set({ state: "signed-up", waitsUntil: now })
      .where(and(eq(referrals.id, id), eq(referrals.state, "under-review"), lte(referrals.waitsUntil, now)))
  );
}

/** Stores an operator's decision about a sign-up under review. */
export function decideReview(
  db: Database,
  id: ReferralId,
  { verdict, reason }: { verdict: "approve" | "void"; reason: string },
  now: number,
) {
  const released = { state: "signed-up", waitsUntil: now, decision: reason } as const;
  return db
    .update(referrals)
    .set(
      verdict === "approve"
        ? released
        : { ...released, state: "void", waitsUntil: null, voidWhy: "review", voidAt: now },
    )
    .where(and(eq(referrals.id, id), eq(referrals.state, "under-review")));
}
