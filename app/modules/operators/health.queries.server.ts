import { count, inArray, max, min, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { emails } from "#app/modules/email/schema.ts";
import { eventTriesMax } from "#app/modules/stripe-events/inbox.rules.ts";
import { webhookEvents } from "#app/modules/stripe-events/schema.ts";
import { cronCursors } from "./health.rules.ts";

export function listCronCursors(db: Database) {
  const { name, cursor } = jobCursors;
  return db
    .select({ name, cursor })
    .from(jobCursors)
    .where(inArray(name, Object.values(cronCursors)));
}

/** Of emails that weren't sent: how many wait and how many failed, and since when; of how many the service's quota is why, and the newest. */
export function countUnsentEmails(db: Database) {
  const { state, createdAt, refusal } = emails;
  const ofQuota = sql<number | null>`case when ${refusal} = 'quota-exhausted' then ${createdAt} end`;
  return db
    .select({
      state,
      count: count(),
      oldestAt: min(createdAt),
      ofQuota: count(ofQuota),
      newestOfQuotaAt: max(ofQuota).mapWith(Number),
    })
    .from(emails)
    .where(inArray(state, ["queued", "failed"]))
    .groupBy(state);
}

/** Of Stripe's events that weren't handled: how many will be tried again and how many won't, and since when. */
export function countUnhandledEvents(db: Database) {
  const { state, tries, receivedAt } = webhookEvents;
  const isGivenUp = sql<number>`${tries} >= ${eventTriesMax}`;
  return db
    .select({ isGivenUp, count: count(), oldestAt: min(receivedAt) })
    .from(webhookEvents)
    .where(inArray(state, ["received", "failed"]))
    .groupBy(isGivenUp);
}
