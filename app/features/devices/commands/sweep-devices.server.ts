import { reduceSeats } from "./reduce-seats.server.ts";
import { removeUsageOf } from "#app/modules/billing/usage/everyone.queries.server.ts";
import { oldDevices, removeOldDevices } from "../everyone.queries.server.ts";

/** The cron job's part: reduces seats, and removes devices deleted long ago with their usage. */
export async function sweepDevices(app: Parameters<typeof reduceSeats>[0]): Promise<void> {
  const { db, clock } = app;
  await reduceSeats(app);
  const now = clock();
  await db.batch([removeUsageOf(db, oldDevices(now)), removeOldDevices(db, now)]);
}
