import { statesBefore } from "#app/core/states-before.ts";
import type { EntryId } from "#app/core/id.ts";
import { and, count, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { entries } from "./schema.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { type EntryState, entryStates, entryTransitions } from "./rules.ts";

/** There are fewer gates than this in any config. */
const entriesOfAddressMax = 100;

/** An unconfirmed entry has no number. */
const numberOrNone = sql`coalesce(${entries.number}, 0)`;

// Reads ---------------------------------------------------------------------------------------------------------------

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

function sectionKeys(state: EntryState) {
  return state === "waiting" ? [entries.sortNumber, entries.number] : [numberOrNone, entries.id];
}

/** An entry's cursor in the list of its state. */
export function entryCursor(
  state: EntryState,
  { id, place, number }: { id: EntryId; place: number | null; number: number | null },
): Cursor {
  return state === "waiting" ? [place ?? 0, number ?? 0] : [number ?? 0, id];
}

export function countEntriesIn(db: Database, section: { gate: string; state: EntryState }) {
  return db
    .select({ count: count() })
    .from(entries)
    .where(and(eq(entries.gate, section.gate), eq(entries.state, section.state)));
}

export function findEntryById(db: Database, id: EntryId) {
  return db.select().from(entries).where(eq(entries.id, id));
}

export function listEntriesOf(db: Database, canonical: string) {
  return db
    .select()
    .from(entries)
    .where(eq(entries.emailCanonical, canonical))
    .orderBy(entries.gate)
    .limit(entriesOfAddressMax);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

const isUnderReview = sql`${entries.review} = 'under-review'`;

export function changeToCleared(db: Database, id: EntryId) {
  return (
    db
      .update(entries)
      // It no longer counts towards a cluster.
      .set({ review: "none", networkHash: null })
      .where(and(eq(entries.id, id), isUnderReview))
  );
}

export function changeToRejected(db: Database, id: EntryId) {
  return db
    .update(entries)
    .set({ state: "rejected", review: "none" })
    .where(
      and(
        eq(entries.id, id),
        isUnderReview,
        inArray(entries.state, statesBefore(entryStates, entryTransitions, "rejected")),
      ),
    );
}
