import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far the cron job has come with work that it does in portions. */
export const jobCursors = sqliteTable("job_cursors", {
  /**
   * `events`: Stripe's list of events; `referrals`, `own-cards`: orders that changed; `renewal-notice`, `card-expiring`: plans that
   * are charged next; `cron`, `cron-failed`: the last run as a whole; `webhook`: when Stripe first delivered an event;
   * `prices`: the hour in which they were compared with Stripe's; `price-differs.<lookup key>`, while such a price isn't on sale: the day on
   * which the team was told of it.
   */
  name: text().primaryKey(),
  /**
   * The id of the last event that was read, or the time up to which rows were checked (0: all of them). Of `cron` when the run ended, of
   * `cron-failed` the names of the jobs that failed in it.
   */
  cursor: text().notNull(),
});
