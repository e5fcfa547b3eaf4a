import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { emails } from "./schema.ts";

/** Someone waits for these. The states and templates are those of the index `mails_due_codes`. */
export function listDueCodeEmails(db: Database, now: number, limit: number) {
  return db
    .select({ id: emails.id })
    .from(emails)
    .where(
      and(
        sql`${emails.state} = 'queued' and ${emails.template} in ('code', 'has-account')`,
        lte(emails.nextTryAt, now),
      ),
    )
    .orderBy(asc(emails.nextTryAt))
    .limit(limit);
}

/** With or without a code. */
export function listDueEmails(db: Database, now: number, limit: number) {
  return db
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.state, "queued"), lte(emails.nextTryAt, now)))
    .orderBy(asc(emails.nextTryAt))
    .limit(limit);
}
