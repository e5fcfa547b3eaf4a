import { statesBefore } from "#app/core/states-before.ts";
import type { AccountId, EntryId, WaveId } from "#app/core/id.ts";
import { and, asc, eq, gt, inArray, isNull, lte, type SQL, sql, sum } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries, waves } from "./schema.ts";
import { invitationLifeMs, missesMax, reminderBeforeMs, type WaveTrigger, waveSearchMax } from "./invitations.rules.ts";
import { hasJoined, isPaying } from "./joining.queries.server.ts";
import { queueOrder } from "./queue.queries.server.ts";
import { entryStates, entryTransitions } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

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

/** The gates at which an account is in the queue, and whether it may pass them by an open invitation. */
export const listPasses = prepared((db: Database, accountId: AccountId, now: number) => {
  const isInvited = sql<number>`(${entries.state} = 'invited' and ${entries.invitationExpiresAt} > ${now})`;
  return db
    .select({ gate: entries.gate, isInvited: isInvited.mapWith(Boolean) })
    .from(entries)
    .innerJoin(accounts, eq(accounts.emailCanonical, entries.emailCanonical))
    .where(and(eq(accounts.id, accountId), inArray(entries.state, ["waiting", "invited", "resting"])));
});

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export type Wave = { id: WaveId; gate: string; trigger: WaveTrigger; day: string; size: number; now: number };

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

/** Invites the nth entry of a wave, if the wave is that large and the entry still waits. */
export function changeToInvited(db: Database, id: EntryId, { wave, nth }: { wave: Wave; nth: number }) {
  return statement(
    db,
    sql`
    update ${entries} set state = 'invited', invitations = invitations + 1, invited_at = ${wave.now},
      invitation_expires_at = ${wave.now + invitationLifeMs}, reminded_at = null, accepted_at = null
    where id = ${id} and gate = ${wave.gate} and state in ${statesBefore(entryStates, entryTransitions, "invited")} and review = 'none'
      and returned is null
      and exists (select 1 from ${waves} where id = ${wave.id} and size >= ${nth})`,
  );
}

/** This invitation is still the entry's: the guard of its email. */
export function isInvited(id: EntryId, invitation: number): SQL {
  return sql`exists (select 1 from ${entries} where id = ${id} and state = 'invited' and invitations = ${invitation})`;
}

export function changeToReminded(db: Database, id: EntryId, now: number) {
  return statement(
    db,
    sql`update ${entries} set reminded_at = ${now}
    where id = ${id} and state = 'invited' and reminded_at is null and invitation_expires_at > ${now}`,
  );
}

/** The first click sets the time; later ones find it. */
export function changeToAccepted(db: Database, entryHash: string, gate: string, now: number) {
  return statement(
    db,
    sql`update ${entries} set accepted_at = ${now}
    where entry_hash = ${entryHash} and gate = ${gate} and state = 'invited' and accepted_at is null
      and invitation_expires_at > ${now}`,
  );
}

/** A resting entry returns to the queue. */
export function changeToAwake(db: Database, entryHash: string) {
  return db
    .update(entries)
    .set({ state: "waiting", missed: 0 })
    .where(and(eq(entries.entryHash, entryHash), eq(entries.state, "resting")));
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
