import type { AccountId, SessionId } from "#app/core/id.ts";
import { and, desc, eq, gt, lt, ne, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts, sessions } from "./schema.ts";
import { type SessionState, sessionIdleMs, type SignInMethod } from "./rules.ts";

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

export function changeLastUse(db: Database, sessionId: SessionId, now: number) {
  return db
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.id, sessionId), eq(sessions.state, "active"), lt(sessions.lastUsedAt, now)));
}

export const listSessions = prepared((db: Database, accountId: AccountId, now: number) =>
  db
    .select({
      id: sessions.id,
      device: sessions.device,
      country: sessions.country,
      method: sessions.method,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, accountId),
        eq(sessions.state, "active"),
        gt(sessions.expiresAt, now),
        gt(sessions.lastUsedAt, sql`${now} - ${sessionIdleMs}`),
      ),
    )
    .orderBy(desc(sessions.lastUsedAt))
    .limit(50),
);

export type NewSession = {
  id: SessionId;
  address: string;
  tokenHash: string;
  device: string;
  country: string | null;
  method: SignInMethod;
  now: number;
  expiresAt: number;
  /** Now, unless the sign-in proves too little for sensitive actions. */
  provenAt?: number;
};

/** Opens a session for the account of this address, if `guard` holds. */
export function addSession(db: Database, session: NewSession, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${sessions} (id, account_id, state, token_hash, device, country, method, created_at, proven_at, last_used_at, expires_at)
    select ${session.id}, id, 'active', ${session.tokenHash}, ${session.device}, ${session.country}, ${session.method}, ${session.now},
      ${session.provenAt ?? session.now}, ${session.now}, ${session.expiresAt}
    from ${accounts} where email_canonical = ${session.address} and state <> 'erased' and ${guard}`,
  );
}

/** Ends the session that this browser had before, if `guard` holds; a new one replaces it. */
export function rotateSession(db: Database, tokenHash: string, now: number, guard: SQL) {
  return statement(
    db,
    sql`
    update ${sessions} set state = 'rotated', ended_at = ${now}
    where token_hash = ${tokenHash} and state = 'active' and ${guard}`,
  );
}

/** Ends all sessions of an account, if `guard` holds. */
export function endAllSessions(db: Database, accountId: AccountId, now: number, guard = sql`true`) {
  return statement(
    db,
    sql`
    update ${sessions} set state = 'revoked', ended_at = ${now}
    where account_id = ${accountId} and state = 'active' and ${guard}`,
  );
}
