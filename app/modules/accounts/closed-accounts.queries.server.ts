import type { ActivityId, AccountId, SessionId } from "#app/core/id.ts";
import { and, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
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
