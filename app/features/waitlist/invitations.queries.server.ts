import { statesBefore } from "#app/core/states-before.ts";
import type { AccountId, EntryId } from "#app/core/id.ts";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries, waves } from "./schema.ts";
import { invitationLifeMs, type WaveId, type WaveTrigger } from "./invitations.rules.ts";
import { entryStates, entryTransitions } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

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
