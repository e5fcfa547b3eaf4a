import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { entries } from "#app/db/schema.ts";
import { type EntryState, statesBefore } from "./rules.ts";

const entriesListedMax = 100;

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function listUnderReview(db: Database) {
  return db.select().from(entries).where(isUnderReview).orderBy(entries.gate, entries.number).limit(entriesListedMax);
}

/** A line in its order, or those of another state by when they confirmed: for operators. */
export function listLine(db: Database, gate: string, state: EntryState) {
  const { id, email, number, place, friends, review, confirmedAt, invitationExpiresAt } = entries;
  return db
    .select({ id, email, number, place, friends, review, confirmedAt, invitationExpiresAt })
    .from(entries)
    .where(and(eq(entries.gate, gate), eq(entries.state, state)))
    .orderBy(place, number)
    .limit(entriesListedMax);
}

export function findEntryById(db: Database, id: string) {
  return db.select().from(entries).where(eq(entries.id, id));
}

export function listEntriesOf(db: Database, canonical: string) {
  return db
    .select()
    .from(entries)
    .where(eq(entries.emailCanonical, canonical))
    .orderBy(entries.gate)
    .limit(entriesListedMax);
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

const isUnderReview = sql`${entries.review} = 'under-review'`;

export function changeToCleared(db: Database, id: string) {
  return db
    .update(entries)
    .set({ review: "none" })
    .where(and(eq(entries.id, id), isUnderReview));
}

export function changeToRejected(db: Database, id: string) {
  return db
    .update(entries)
    .set({ state: "rejected", review: "none" })
    .where(and(eq(entries.id, id), isUnderReview, inArray(entries.state, statesBefore("rejected"))));
}
