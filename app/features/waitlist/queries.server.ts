import { statesBefore } from "#app/core/states-before.ts";
import type { EntryId } from "#app/core/id.ts";
import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { entries } from "./schema.ts";
import { countedStates } from "./queue.rules.ts";
import { type Entry, entryStates, entryTransitions } from "./rules.ts";
import type { SeenPositions } from "./seen-positions.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export function findEntryByAddress(db: Database, gate: string, canonical: string) {
  return db
    .select()
    .from(entries)
    .where(and(eq(entries.gate, gate), eq(entries.emailCanonical, canonical)));
}

export function findEntryByConfirmation(db: Database, confirmHash: string) {
  return db.select().from(entries).where(eq(entries.confirmHash, confirmHash));
}

/** The entry of a page, by its link, which is only emailed to a proven address. */
export function findEntry(db: Database, entryHash: string) {
  return db.select().from(entries).where(eq(entries.entryHash, entryHash));
}

/** The owner of a share code in this queue. Entries that left, were rejected or never confirmed can't refer. */
export function findReferrer(db: Database, gate: string, shareCode: string) {
  return db
    .select({ id: entries.id, emailCanonical: entries.emailCanonical })
    .from(entries)
    .where(and(eq(entries.shareCode, shareCode), eq(entries.gate, gate), inArray(entries.state, [...countedStates])));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export type NewEntry = Pick<
  Entry,
  "id" | "gate" | "email" | "emailCanonical" | "shareCode" | "createdAt" | "confirmExpiresAt"
> & {
  mailbox: string;
  confirmHash: string;
  entryHash: string;
  /** A signed-in user of this address joins: the entry replaces any unproven one. */
  isProven: boolean;
};

/**
 * Stores a request to join, if `guard` holds. The address may have: no entry; one that left or wasn't confirmed in time, whose row starts
 * again under a new id; the same request (same id), which continues; or an active entry, which stays.
 */
export function addOrRestartEntry(db: Database, entry: NewEntry, now: number, guard: SQL = sql`true`) {
  const isOver = sql`${entries.confirmExpiresAt} <= ${now} or ${entries.id} = excluded.id`;
  const over = entry.isProven ? sql`true` : sql`(${isOver})`;
  return statement(
    db,
    sql`
    insert into ${entries} (id, gate, state, email, email_canonical, mailbox, confirm_hash, entry_hash, share_code,
      created_at, confirm_expires_at)
    select ${entry.id}, ${entry.gate}, 'pending', ${entry.email}, ${entry.emailCanonical}, ${entry.mailbox}, ${entry.confirmHash},
      ${entry.entryHash}, ${entry.shareCode}, ${entry.createdAt}, ${entry.confirmExpiresAt}
    where ${guard}
    on conflict do update set
      id = excluded.id, state = excluded.state, review = excluded.review, email = excluded.email, mailbox = excluded.mailbox,
      confirm_hash = excluded.confirm_hash, entry_hash = excluded.entry_hash, share_code = excluded.share_code, referrer_entry_id = null,
      network_hash = null, created_at = excluded.created_at, confirm_expires_at = excluded.confirm_expires_at,
      confirmed_at = null, left_at = null, number = null, sort_number = null, friends = 0, gift = 0,
      invitations = 0, missed = 0, looks = null, told_at = null, returned = null
    where ${entries.gate} = excluded.gate and ${entries.emailCanonical} = excluded.email_canonical
      and (${entries.state} = 'left' or (${entries.state} = 'pending' and ${over}))`,
  );
}

/** The email is still right: the entry is still unconfirmed, or has its position. One statement for both. */
export function emailFits(id: EntryId, kind: "confirm" | "entry", guard: SQL): SQL {
  return sql`exists (select 1 from ${entries}
    where id = ${id} and state <> 'left' and (state = 'pending') = ${kind === "confirm" ? 1 : 0}) and ${guard}`;
}

export function changeToLeft(db: Database, entryHash: string, now: number) {
  return db
    .update(entries)
    .set({ state: "left", leftAt: now })
    .where(
      and(
        eq(entries.entryHash, entryHash),
        inArray(entries.state, statesBefore(entryStates, entryTransitions, "left")),
      ),
    );
}

/**
 * The entries of an address get emails again, if `guard` holds: the address was proven, or it asked for an email, which a bounce may follow
 * again. A complaint or a click on Unsubscribe stays until its owner asks.
 */
export function changeToReachable(db: Database, address: string, by: "proof" | "request", guard: SQL = sql`true`) {
  const isOver = by === "proof" ? isNotNull(entries.returned) : eq(entries.returned, "bounced");
  return db
    .update(entries)
    .set({ returned: null })
    .where(and(eq(entries.emailCanonical, address), isOver, guard));
}

/** The owner of an entry's page wants to hear from us, whatever came back. */
export function changeOwnToReachable(db: Database, entryHash: string) {
  return db.update(entries).set({ returned: null }).where(eq(entries.entryHash, entryHash));
}

/** Stores the visit, unless another was stored since this row was read. */
export function changeSeenPositions(db: Database, id: EntryId, seen: SeenPositions, before: SeenPositions | null) {
  const unchanged = sql`${entries.looks} is ${before === null ? null : JSON.stringify(before)}`;
  return db
    .update(entries)
    .set({ looks: seen })
    .where(and(eq(entries.id, id), unchanged));
}
