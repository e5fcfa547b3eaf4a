import { reduceSeats } from "./reduce-seats.server.ts";
import { removeOldDevices, removeUsageBefore, removeUsageOfOldDevices } from "../everyone.queries.server.ts";
import { usageMonthOf, usageRetentionMs } from "../usage.rules.ts";

/** The cron job's part: reduces seats, and removes devices deleted long ago with their usage, and maxima of long past months. */
export async function sweepDevices(app: Parameters<typeof reduceSeats>[0]): Promise<void> {
  const { db, clock, product } = app;
  await reduceSeats(app);
  const now = clock();
  await db.batch([
    removeUsageOfOldDevices(db, now),
    removeOldDevices(db, now),
    removeUsageBefore(db, usageMonthOf(now - usageRetentionMs, product.timeZone)),
  ]);
}
