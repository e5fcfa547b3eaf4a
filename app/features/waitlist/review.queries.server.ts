import { statesBefore } from "#app/core/states-before.ts";
import type { EntryId } from "#app/core/id.ts";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { entries } from "./schema.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { type EntryState, entryStates, entryTransitions } from "./rules.ts";

/** There are fewer gates than this in any config. */
const entriesOfAddressMax = 100;

/** An unconfirmed entry has no number. */
export const numberOrNone = sql`coalesce(${entries.number}, 0)`;

// Reads ---------------------------------------------------------------------------------------------------------------

/** An entry's cursor in the list of its state. */
export function entryCursor(
  state: EntryState,
  { id, place, number }: { id: EntryId; place: number | null; number: number | null },
): Cursor {
  return state === "waiting" ? [place ?? 0, number ?? 0] : [number ?? 0, id];
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

export const isUnderReview = sql`${entries.review} = 'under-review'`;

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
