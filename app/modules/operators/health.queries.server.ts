import { and, count, eq, inArray, isNotNull, max, min, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { emails } from "#app/modules/email/schema.ts";
import { eventTriesMax } from "#app/modules/billing/sync/inbox.rules.ts";
import { webhookEvents } from "#app/modules/billing/sync/inbox.schema.ts";
import { cronCursors } from "./health.rules.ts";

export function listCronCursors(db: Database) {
  const { name, cursor } = jobCursors;
  return db
    .select({ name, cursor })
    .from(jobCursors)
    .where(inArray(name, Object.values(cronCursors)));
}

/**
 * Counts the emails that weren't sent, by state and with the oldest's time: all of them, and those that the service's quota holds up, with
 * the newest's time.
 */
export function countUnsentEmails(db: Database) {
  const { state, createdAt, refusal, nextTryAt } = emails;
  const ofQuota = sql<number | null>`case when ${refusal} = 'quota-exhausted' then ${createdAt} end`;
  return (
    db
      .select({
        state,
        count: count(),
        oldestAt: min(createdAt),
        ofQuota: count(ofQuota),
        newestOfQuotaAt: max(ofQuota).mapWith(Number),
      })
      .from(emails)
      // What waits for a quota of ours has no time for a try yet.
      .where(and(inArray(state, ["queued", "failed"]), or(eq(state, "failed"), isNotNull(nextTryAt))))
      .groupBy(state)
  );
}

/** Plans that Stripe paused after the first failed attempt, and customers of its dashboard that belong to no account. */
export function countByPlanTrouble(db: Database) {
  const paused = sql<number>`(select count(*) from subscriptions where state = 'unpaid' and pause_cause = 'first-payment-failed')`;
  const unclaimed = sql<number>`(select count(*) from unclaimed_customers)`;
  return db.all<{ pausedAtFirst: number; unclaimed: number }>(
    sql`select ${paused} as pausedAtFirst, ${unclaimed} as unclaimed`,
  );
}

/** Counts Stripe's events that weren't handled, those that will be tried again and those that won't, with the oldest's time. */
export function countUnhandledEvents(db: Database) {
  const { state, tries, receivedAt } = webhookEvents;
  const isGivenUp = sql<number>`${tries} >= ${eventTriesMax}`;
  return db
    .select({ isGivenUp, count: count(), oldestAt: min(receivedAt) })
    .from(webhookEvents)
    .where(inArray(state, ["received", "failed"]))
    .groupBy(isGivenUp);
}
