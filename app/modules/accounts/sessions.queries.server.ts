import type { AccountId, SessionId } from "#app/core/id.ts";
import { and, eq, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { sessions } from "./schema.ts";
import { type SessionState, sessionIdleMs } from "./rules.ts";

/**
 * The requesting session is still active: for the WHERE of every sensitive statement. The request was authorised when it began, but its
 * body may arrive long after the session ended.
 */
export function sessionIsActive(session: { id: SessionId }): SQL {
  return sql`exists (select 1 from ${sessions} where id = ${session.id} and state = 'active')`;
}

export function findActiveSession(db: Database, session: { id: SessionId }) {
  return db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, session.id), eq(sessions.state, "active")));
}

export function changeSessionState(
  db: Database,
  session: { id: SessionId; accountId: AccountId },
  to: Exclude<SessionState, "active">,
  now: number,
  guard?: SQL,
) {
  return db
    .update(sessions)
    .set({ state: to, endedAt: now })
    .where(
      and(eq(sessions.id, session.id), eq(sessions.accountId, session.accountId), eq(sessions.state, "active"), guard),
    );
}

/** Ends the session with this token. */
export function endSessionByToken(db: Database, tokenHash: string, now: number) {
  return db
    .update(sessions)
    .set({ state: "signed-out", endedAt: now })
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.state, "active")));
}

/** Ends all of an account's sessions but the requesting one. */
export function endSessionsExcept(db: Database, session: { id: SessionId; accountId: AccountId }, now: number) {
  return db
    .update(sessions)
    .set({ state: "revoked", endedAt: now })
    .where(
      and(
        eq(sessions.accountId, session.accountId),
        ne(sessions.id, session.id),
        eq(sessions.state, "active"),
        sessionIsActive(session),
      ),
    );
}

/** For the cron job: marks sessions past their limits as expired. */
export function expireSessions(db: Database, now: number) {
  const expire = (isOver: SQL) =>
    db
      .update(sessions)
      .set({ state: "expired", endedAt: now })
      .where(and(sql`${sessions.state} = 'active'`, isOver));
  // Two statements: with one `or` SQLite would scan every session.
  return [expire(lte(sessions.expiresAt, now)), expire(lte(sessions.lastUsedAt, now - sessionIdleMs))] as const;
}

export function changeLastUse(db: Database, sessionId: SessionId, now: number) {
  return db
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.id, sessionId), eq(sessions.state, "active"), lt(sessions.lastUsedAt, now)));
}
