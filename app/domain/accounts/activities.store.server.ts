import { desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, justChanged, statement } from "#app/db/client.server.ts";
import { activities, sessions } from "#app/db/schema.ts";
import type { ActivityWord, NewActivity } from "./activities.rules.ts";

export function listActivities(db: Database, accountId: string, limit: number) {
  return db
    .select()
    .from(activities)
    .where(eq(activities.accountId, accountId))
    .orderBy(desc(activities.happenedAt), desc(activities.id))
    .limit(limit);
}

export function readActivity(row: typeof activities.$inferSelect) {
  // Only `addActivity` writes the word.
  return { ...row, what: row.what as ActivityWord };
}

/**
 * Notes what a session did, when the statement before it in the batch changed something or else `guard` holds; the account, device
 * and place are the session's.
 */
export function addActivity(db: Database, activity: NewActivity, guard: SQL = justChanged) {
  return statement(
    db,
    sql`
    insert into ${activities} (id, account_id, what, device, place, happened_at)
    select ${activity.id}, account_id, ${activity.what}, device, place, ${activity.now}
    from ${sessions} where id = ${activity.sessionId} and ${guard}`,
  );
}

/** The same for the session that has a token, whichever it is. */
export function addActivityOfToken(db: Database, activity: Omit<NewActivity, "sessionId">, tokenHash: string) {
  return statement(
    db,
    sql`
    insert into ${activities} (id, account_id, what, device, place, happened_at)
    select ${activity.id}, account_id, ${activity.what}, device, place, ${activity.now}
    from ${sessions} where token_hash = ${tokenHash} and ${justChanged}`,
  );
}

/** Notes what somebody tried who has no session, for the owner of the account to see. */
export function addActivityOf(
  db: Database,
  activity: {
    id: string;
    accountId: string | SQL;
    what: ActivityWord;
    device: string | SQL;
    place: string | null;
    now: number;
  },
  guard: SQL,
) {
  return statement(
    db,
    sql`
    insert into ${activities} (id, account_id, what, device, place, happened_at)
    select ${activity.id}, ${activity.accountId}, ${activity.what}, ${activity.device}, ${activity.place}, ${activity.now}
    where ${guard}`,
  );
}
