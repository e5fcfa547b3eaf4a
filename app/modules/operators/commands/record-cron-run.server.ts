import type { App } from "#app/app.ts";
import { changeJobCursor } from "#app/db/job-cursors.server.ts";
import { cronCursors } from "../health.rules.ts";

/** The cron job's heartbeat: when its newest run ended, and which of its jobs failed. */
export async function recordCronRun({ db, clock }: Pick<App, "db" | "clock">, failed: readonly string[]) {
  const { endedAt, failedJobs } = cronCursors;
  await db.batch([changeJobCursor(db, endedAt, clock()), changeJobCursor(db, failedJobs, failed.join(" "))]);
}
