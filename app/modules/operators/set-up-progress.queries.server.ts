import { and, desc, eq, gt, inArray, isNotNull, like, sql } from "drizzle-orm";
import { dayMs } from "#app/core/time/time.ts";
import type { Database } from "#app/db/database.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { accounts, sessions } from "#app/modules/accounts/schema.ts";
import { emails } from "#app/modules/email/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { webhookCursor } from "#app/modules/billing/sync/inbox.rules.ts";

/** Demo customers have no mailbox and no payment at Stripe (scripts/demo-seed). */
const isDemo = like(accounts.emailCanonical, "%.example");

/** Finds an email that the service took. It never got the demo's, nor any to an address without a mailbox. */
export function findSentEmail(db: Database) {
  return db.select({ id: emails.id }).from(emails).where(isNotNull(emails.serviceId)).limit(1);
}

export function findRefusedEmail(db: Database) {
  return db
    .select({ id: emails.id })
    .from(emails)
    .where(and(inArray(emails.state, ["queued", "failed"]), isNotNull(emails.refusal)))
    .limit(1);
}

/** A session of an account that isn't the demo's, used within a day. */
export function findSignedUp(db: Database, now: number) {
  return db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(sql`${sessions.state} = 'active'`, gt(sessions.lastUsedAt, now - dayMs), sql`not ${isDemo}`))
    .limit(1);
}

/** The newest paid order at this Stripe account. */
export function findOrderAtStripe(db: Database) {
  const { numberYear, numberInYear, state, createdAt, invoiceId } = orders;
  return db
    .select({ numberYear, numberInYear })
    .from(orders)
    .where(and(inArray(state, ["paid", "partially-refunded", "refunded"]), sql`${invoiceId} not glob 'in_demo_*'`))
    .orderBy(desc(createdAt))
    .limit(1);
}

export function findDelivery(db: Database) {
  return db.select({ at: jobCursors.cursor }).from(jobCursors).where(eq(jobCursors.name, webhookCursor));
}
