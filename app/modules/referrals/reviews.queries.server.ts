import type { ReferralId } from "#app/core/id.ts";
import { and, eq, lte } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { referrals } from "./schema.ts";

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
