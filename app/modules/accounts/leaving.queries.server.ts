import { and, eq, gt, inArray, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { accounts, activities, sessions } from "./schema.ts";

/** Its time is over and its erasure has begun, but isn't done: what is the person's may still go, and nothing else may. */
export function accountIsErasing(id: string): SQL {
  return sql`exists (select 1 from ${accounts} where id = ${id} and state = 'leaving' and gone_at is not null)`;
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

export function changeToLeaving(db: Database, id: string, leavingUntil: number, guard: SQL) {
  return db
    .update(accounts)
    .set({ state: "leaving", leavingUntil })
    .where(and(eq(accounts.id, id), eq(accounts.state, "active"), guard));
}

/** Ends the other sessions if `activityId` was noted: the very request that began the leaving, and none after it. */
export function endOthersOnLeaving(
  db: Database,
  session: { id: string; accountId: string },
  activityId: string,
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

/** Back, while there is time and its erasure hasn't begun: of this and `beginErasures` one wins, by the clock of each. */
export function changeToRestored(db: Database, id: string, now: number, guard: SQL) {
  return db
    .update(accounts)
    .set({ state: "active", leavingUntil: null })
    .where(
      and(
        eq(accounts.id, id),
        eq(accounts.state, "leaving"),
        gt(accounts.leavingUntil, now),
        isNull(accounts.goneAt),
        guard,
      ),
    );
}

/**
 * Takes accounts whose time is over: from here on there is no way back. One that could not be erased is taken again; those
 * that were not tried so far, or longest ago, come first, so that it keeps nobody else waiting. `isHeld`: whose erasure doesn't begin
 * yet.
 */
export function beginErasures(db: Database, now: number, limit: number, isHeld: SQL) {
  const due = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(eq(accounts.state, "leaving"), lte(accounts.leavingUntil, now), or(isNotNull(accounts.goneAt), not(isHeld))),
    )
    .orderBy(sql`${accounts.goneAt} asc nulls first`, accounts.leavingUntil)
    .limit(limit);
  return db
    .update(accounts)
    .set({ goneAt: now })
    .where(inArray(accounts.id, due))
    .returning({ id: accounts.id, email: accounts.email, address: accounts.emailCanonical });
}
