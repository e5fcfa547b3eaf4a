/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { asc, gt, sql, and, eq, isNull, lte, type SQL, sum, inArray, or, lt, count } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { entries, waves } from "./schema.ts";
import { type EntryState, networkRetentionMs, leftEntryRetentionMs, waveRetentionMs } from "./rules.ts";
import { missesMax, reminderBeforeMs, waveSearchMax } from "./invitations.rules.ts";
import { queueOrder } from "./queue.queries.server.ts";
import type { Wave } from "./invitations.queries.server.ts";
import { hasJoined, isPaying, mayJoin } from "./joining.queries.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { numberOrNone, isUnderReview } from "./review.queries.server.ts";

/** For the cron job: removes network hashes once they no longer count. */
export function removeNetworks(db: Database, now: number) {
  return statement(
    db,
    sql`
    update ${entries} set network_hash = null
    where network_hash is not null and confirmed_at <= ${now - networkRetentionMs}`,
  );
}

/** For the cron job: entries older than the mailbox column. */
export function listWithoutMailbox(db: Database, limit: number) {
  return db
    .select({ id: entries.id, address: entries.emailCanonical })
    .from(entries)
    .where(sql`${entries.mailbox} is null`)
    .limit(limit);
}

/** The next entries among those that waited at `since`, without those under review or whose emails come back. */
export function listNext(db: Database, gate: string, since: number, limit: number) {
  const front = db
    .select()
    .from(entries)
    .where(
      and(eq(entries.gate, gate), eq(entries.state, "waiting"), eq(entries.review, "none"), isNull(entries.returned)),
    )
    .orderBy(...queueOrder)
    .limit(waveSearchMax)
    .as("front");
  return db
    .select()
    .from(front)
    .where(lte(front.confirmedAt, since))
    .orderBy(front.sortNumber, sql`${front.friends} = 0`, front.number)
    .limit(limit);
}

/** How many entries the cron job has invited on a day. */
export function countInvitedByClock(db: Database, gate: string, day: string) {
  return db
    .select({ count: sum(waves.size).mapWith(Number) })
    .from(waves)
    .where(and(eq(waves.gate, gate), eq(waves.trigger, "clock"), eq(waves.day, day)));
}

function invitedByClock(gate: string, day: string): SQL {
  return sql`(select coalesce(sum(size), 0) from ${waves} where gate = ${gate} and trigger = 'clock' and day = ${day})`;
}

/** Adds a wave; the cron job's is limited to what the day has left. Later statements of the batch check its size. */
export function addWave(db: Database, wave: Wave, perDay: number | null) {
  const { id, gate, trigger, day, size, now } = wave;
  const left = perDay === null ? sql`${size}` : sql`min(${size}, ${perDay} - ${invitedByClock(gate, day)})`;
  return statement(
    db,
    sql`
    insert into ${waves} (id, gate, trigger, day, size, started_at)
    select ${id}, ${gate}, ${trigger}, ${day}, ${left}, ${now} where ${left} > 0`,
  );
}

/** Like `listJoining`, for the invited entries of all accounts. */
export function listInvitedJoining(db: Database, limit: number) {
  const { state, toldAt } = entries;
  return db
    .select()
    .from(entries)
    .where(and(inArray(state, ["invited", "joined"]), isNull(toldAt), or(eq(state, "joined"), hasJoined)))
    .limit(limit);
}

/** Waiting entries of any gate that weren't informed of open sign-up, and whose emails don't come back. */
export function listUninformedWaiting(db: Database, limit: number) {
  return db
    .select()
    .from(entries)
    .where(and(mayJoin, isNull(entries.toldAt), isNull(entries.returned)))
    .limit(limit);
}

/** For the cron job: addresses that their owners never confirmed. */
export function removeUnconfirmed(db: Database, now: number) {
  return db.delete(entries).where(and(sql`${entries.state} = 'pending'`, lt(entries.confirmExpiresAt, now)));
}

/** For the cron job: abandoned entries, with their personal data. */
export function removeLeft(db: Database, now: number) {
  return db.delete(entries).where(and(sql`${entries.state} = 'left'`, lt(entries.leftAt, now - leftEntryRetentionMs)));
}

export function removeOldWaves(db: Database, now: number) {
  return db.delete(waves).where(lt(waves.startedAt, now - waveRetentionMs));
}

export function listEntriesUnderReview(db: Database, after: Cursor | null, limit: number) {
  const keys = [entries.gate, numberOrNone, entries.id];
  return db
    .select()
    .from(entries)
    .where(and(isUnderReview, isAfter(keys, after)))
    .orderBy(...keys)
    .limit(limit);
}

export function countEntriesUnderReview(db: Database) {
  return db.select({ count: count() }).from(entries).where(isUnderReview);
}

/** Entries whose invitation expires within a day, that haven't been reminded and whose emails don't come back. */
export function listToRemind(db: Database, gate: string, now: number, limit: number) {
  return db
    .select()
    .from(entries)
    .where(
      and(
        eq(entries.gate, gate),
        sql`${entries.state} = 'invited'`,
        gt(entries.invitationExpiresAt, now),
        lte(entries.invitationExpiresAt, now + reminderBeforeMs),
        isNull(entries.remindedAt),
        isNull(entries.returned),
        sql`not ${hasJoined}`,
        sql`not ${isPaying}`,
      ),
    )
    .orderBy(asc(entries.invitationExpiresAt))
    .limit(limit);
}

/**
 * Expires invitations of the gate in force: the entries go back to the queue, or to rest. Skips those that have joined. A payment in
 * process suspends the deadline.
 */
export function expireInvitations(db: Database, gate: string, now: number, limit: number) {
  const due = sql`
    select id from ${entries} where gate = ${gate} and state = 'invited' and invitation_expires_at <= ${now}
      and not ${hasJoined} and not ${isPaying}
    order by invitation_expires_at limit ${limit}`;
  return statement(
    db,
    sql`
    update ${entries} set missed = missed + 1, state = case when missed + 1 >= ${missesMax} then 'resting' else 'waiting' end
    where id in (${due})`,
  );
}

function sectionKeys(state: EntryState) {
  return state === "waiting" ? [entries.sortNumber, entries.number] : [numberOrNone, entries.id];
}

/** For operators: a queue in its order, or the entries in another state by confirmation. */
export function listEntries(
  db: Database,
  section: { gate: string; state: EntryState },
  after: Cursor | null,
  limit: number,
) {
  // `place` is the name of the field in the operators' API.
  const { id, email, number, sortNumber: place, friends, review, confirmedAt, invitationExpiresAt, returned } = entries;
  const keys = sectionKeys(section.state);
  return db
    .select({ id, email, number, place, friends, review, confirmedAt, invitationExpiresAt, returned })
    .from(entries)
    .where(and(eq(entries.gate, section.gate), eq(entries.state, section.state), isAfter(keys, after)))
    .orderBy(...keys)
    .limit(limit);
}

export function countEntriesIn(db: Database, section: { gate: string; state: EntryState }) {
  return db
    .select({ count: count() })
    .from(entries)
    .where(and(eq(entries.gate, section.gate), eq(entries.state, section.state)));
}

export function countEntries(db: Database) {
  const { gate, state } = entries;
  return db.select({ gate, state, count: count() }).from(entries).groupBy(gate, state);
}
