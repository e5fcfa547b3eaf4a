import type { AccountId, SessionId } from "#app/core/id.ts";
import { and, desc, eq, gte, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, justChanged, statement } from "#app/db/database.server.ts";
import { accounts, activities, sessions } from "./schema.ts";
import { dayMs } from "#app/core/time/time.ts";
import { type ActivityFacts, type ActivityName, type NewActivity, refusalsPerDayMax } from "./activities.rules.ts";
import { sessionIsActive } from "./sessions.queries.server.ts";

export const listActivities = prepared((db: Database, accountId: AccountId, limit: number) =>
  db
    .select()
    .from(activities)
    .where(eq(activities.accountId, accountId))
    .orderBy(desc(activities.happenedAt), desc(activities.id))
    .limit(limit),
);

/** Has the account done this since the session began? */
export function findDoneSince(db: Database, session: { id: SessionId; accountId: AccountId }, what: ActivityName) {
  const begunAt = db.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, session.id));
  return db
    .select({ id: activities.id })
    .from(activities)
    .where(
      and(
        eq(activities.accountId, session.accountId),
        gte(activities.happenedAt, begunAt),
        eq(activities.what, what),
        eq(activities.result, "done"),
      ),
    )
    .limit(1);
}

/** A guard that always holds, for a row that doesn't depend on a statement of its batch. */
export const always: SQL = sql`true`;

const columns = sql`(id, account_id, what, result, reason, method, network, device, country, happened_at)`;

type Selected = { accountId: AccountId | SQL; device: string | SQL | null; country: string | SQL | null };

function valuesOf(facts: ActivityFacts, { accountId, device, country }: Selected): SQL {
  const { id, what, result, reason, method, network, now } = facts;
  return sql`${id}, ${accountId}, ${what}, ${result}, ${reason}, ${method}, ${network}, ${device}, ${country}, ${now}`;
}

const ofSession = { accountId: sql`account_id`, device: sql`device`, country: sql`country` };

/**
 * Logs a session's action if the previous statement of the batch changed a row, or if `guard` holds. Account, device and country are copied
 * from the session.
 */
export function addActivity(db: Database, activity: NewActivity, guard: SQL = justChanged) {
  return statement(
    db,
    sql`
    insert into ${activities} ${columns}
    select ${valuesOf(activity, ofSession)} from ${sessions} where id = ${activity.sessionId} and ${guard}`,
  );
}

/** Like `addActivity`, for the session with this token. */
export function addActivityOfToken(db: Database, facts: ActivityFacts, tokenHash: string) {
  return statement(
    db,
    sql`
    insert into ${activities} ${columns}
    select ${valuesOf(facts, ofSession)} from ${sessions} where token_hash = ${tokenHash} and ${justChanged}`,
  );
}

/** Logs what happened to an account without a session of it, so that the owner sees it. */
export function addActivityOf(db: Database, activity: ActivityFacts & Selected, guard: SQL) {
  return statement(
    db,
    sql`
    insert into ${activities} ${columns}
    select ${valuesOf(activity, activity)} where ${guard}`,
  );
}

/** The account an attempt was about: known by id, or looked up by address. */
type Target = { accountId: AccountId } | { address: string };

/** Logs a refused attempt made without a session. An address without an account writes nothing and takes equally long. */
export function addRefusalOf(
  db: Database,
  facts: ActivityFacts,
  { device, country, ...target }: Target & { device: string; country: string | null },
  guard: SQL = sql`true`,
) {
  const isTarget =
    "accountId" in target
      ? sql`${accounts.id} = ${target.accountId}`
      : sql`${accounts.emailCanonical} = ${target.address}`;
  return statement(
    db,
    sql`
    insert into ${activities} ${columns}
    select ${valuesOf(facts, { accountId: sql`${accounts.id}`, device, country })} from ${accounts}
    where ${isTarget} and ${accounts.state} <> 'erased' and ${guard} and ${hasRoomForRefusal(sql`${accounts.id}`, facts.now)}`,
  );
}

/** The session is active, and the account hasn't logged this action since its last proof. */
export function isFirstSinceProof(
  session: { id: SessionId; provenAt: number },
  accountId: AccountId,
  what: ActivityName,
): SQL {
  return sql`${sessionIsActive(session)} and not exists (
    select 1 from ${activities} log where log.account_id = ${accountId} and log.happened_at >= ${session.provenAt}
      and log.what = ${what} and log.result = 'done')`;
}

/** The account has logged fewer refusals today than the limit. */
export function hasRoomForRefusal(accountId: AccountId | SQL, now: number): SQL {
  return sql`(
    select count(*) from ${activities} counted where counted.account_id = ${accountId} and counted.result = 'refused'
      and counted.happened_at > ${now - dayMs}) < ${refusalsPerDayMax}`;
}
