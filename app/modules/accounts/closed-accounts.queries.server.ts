import type { ActivityId, AccountId, SessionId } from "#app/core/id.ts";
import { and, eq, gt, inArray, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts, activities, sessions } from "./schema.ts";

/** The restore period has ended and the erasure has begun but isn't finished: personal data may be deleted, nothing else may change. */
export function accountIsErasing(id: AccountId): SQL {
  return sql`exists (select 1 from ${accounts} where id = ${id} and state = 'closed' and erasure_at is not null)`;
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export function changeToClosed(db: Database, id: AccountId, restorableUntil: number, guard: SQL) {
  return db
    .update(accounts)
    .set({ state: "closed", restorableUntil })
    .where(and(eq(accounts.id, id), eq(accounts.state, "active"), guard));
}

/** Ends the other sessions if `activityId` was logged, that is by the request that closed the account and by no later one. */
export function endOtherSessionsOnClosing(
  db: Database,
  session: { id: SessionId; accountId: AccountId },
  activityId: ActivityId,
  now: number,
) {
  return db
    .update(sessions)
    .set({ state: "revoked", endedAt: now })
    .where(
      and(
        eq(sessions.accountId, session.accountId),
        ne(sessions.id, session.id),
        eq(sessions.state, "active"),
        sql`exists (select 1 from ${activities} where id = ${activityId})`,
      ),
    );
}

/** Restores the account while it is still possible. Either this or `beginErasures` wins, each by its own clock. */
export function changeToRestored(db: Database, id: AccountId, now: number, guard: SQL) {
  return db
    .update(accounts)
    .set({ state: "active", restorableUntil: null })
    .where(
      and(
        eq(accounts.id, id),
        eq(accounts.state, "closed"),
        gt(accounts.restorableUntil, now),
        isNull(accounts.erasureAt),
        guard,
      ),
    );
}

/**
 * Leases accounts whose restore period has ended; from here on they can't be restored. An account that couldn't be erased is leased again,
 * after those that were never tried or tried longest ago, so that it doesn't delay the others. `isHeld`: accounts whose erasure must not
 * begin yet.
 */
export function beginErasures(db: Database, now: number, limit: number, isHeld: SQL) {
  const due = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.state, "closed"),
        lte(accounts.restorableUntil, now),
        or(isNotNull(accounts.erasureAt), not(isHeld)),
      ),
    )
    .orderBy(sql`${accounts.erasureAt} asc nulls first`, accounts.restorableUntil)
    .limit(limit);
  return db
    .update(accounts)
    .set({ erasureAt: now })
    .where(inArray(accounts.id, due))
    .returning({ id: accounts.id, email: accounts.email, address: accounts.emailCanonical });
}
