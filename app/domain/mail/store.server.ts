import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema.ts";
import { tryLeaseMs } from "./rules.ts";

export type QueuedMail = { id: string; template: string; sealed: string; now: number };

/** For a mail that tells of the statement just before it. */
export { justChanged } from "#app/db/client.server.ts";

/** Queues a mail when `guard` holds (the row it tells of stands), once per id: a cause's second mail is dropped. */
export function addMail(db: Database, mail: QueuedMail, guard: SQL = sql`true`) {
  return statement(
    db,
    sql`
    insert into ${mails} (id, state, template, sealed, created_at, next_try_at)
    select ${mail.id}, 'queued', ${mail.template}, ${mail.sealed}, ${mail.now}, ${mail.now} where ${guard}
    on conflict do nothing`,
  );
}

/** Takes a due mail for one try; a second taker gets nothing. */
export function takeMail(db: Database, id: string, now: number) {
  return db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1`, nextTryAt: now + tryLeaseMs })
    .where(and(eq(mails.id, id), eq(mails.state, "queued"), lte(mails.nextTryAt, now)))
    .returning();
}

/** The mail has left: what it said is wiped. */
export function changeToSent(db: Database, id: string, now: number) {
  return db
    .update(mails)
    .set({ state: "sent", sentAt: now, sealed: null, nextTryAt: null })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")));
}

export function changeAfterFailure(db: Database, id: string, retryAt: number | null) {
  return db
    .update(mails)
    .set(retryAt === null ? { state: "failed", nextTryAt: null, sealed: null } : { nextTryAt: retryAt })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")));
}

export function listDue(db: Database, now: number, limit: number) {
  return db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, "queued"), lte(mails.nextTryAt, now)))
    .orderBy(asc(mails.nextTryAt))
    .limit(limit);
}
