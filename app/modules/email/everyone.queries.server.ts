/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, asc, eq, gt, lte, notInArray, sql, isNotNull, lt, ne } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { codeTemplates } from "./failed-emails.rules.ts";
import { quotaPatienceMs } from "./retries.rules.ts";
import { emails } from "./schema.ts";
import { failedEmailRetentionMs, emailRetentionMs } from "./rules.ts";

/** Due emails with a code, for which someone waits. The states and templates are those of the index `emails_due_codes`. */
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

/** Due emails, with or without a code. */
export function listDueEmails(db: Database, now: number, limit: number) {
  return db
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.state, "queued"), lte(emails.nextTryAt, now)))
    .orderBy(asc(emails.nextTryAt))
    .limit(limit);
}

/**
 * While the service's quota is used up, what is due and has no code waits as well, so that a part of the quota that becomes free goes to
 * codes. What has waited for too long stays due, and its next refusal is its last.
 */
export function postponeDueEmails(db: Database, until: number, now: number) {
  return db
    .update(emails)
    .set({ nextTryAt: until })
    .where(
      and(
        eq(emails.state, "queued"),
        lte(emails.nextTryAt, now),
        notInArray(emails.template, [...codeTemplates]),
        gt(emails.createdAt, now - quotaPatienceMs),
      ),
    );
}

/** For the cron job: wipes the content of failed emails that weren't resent in time. */
export function eraseFailedEmails(db: Database, now: number) {
  return db
    .update(emails)
    .set({ sealed: null })
    .where(
      and(eq(emails.state, "failed"), lt(emails.createdAt, now - failedEmailRetentionMs), isNotNull(emails.sealed)),
    );
}

/** For the cron job: emails that are finished and whose ids can't be needed again. */
export function removeOldEmails(db: Database, now: number) {
  return db.delete(emails).where(and(lt(emails.createdAt, now - emailRetentionMs), ne(emails.state, "queued")));
}
