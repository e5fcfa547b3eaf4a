import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { listDueCancellations, removeOldCancellations } from "../everyone.queries.server.ts";
import { carryOutCancellation } from "./carry-out-cancellation.server.ts";

/** So that a run of the cron job stays short. */
const perRunMax = 25;

/** For the cron job: cancels the plans of declarations that matched, removes old rows. */
export async function sweepCancellations(app: App): Promise<void> {
  const { db } = app;
  const now = app.clock();
  const { due } = await batchNamed(db, {
    due: listDueCancellations(db, now, perRunMax),
    old: removeOldCancellations(db, now),
  });
  for (const { id } of due) await carryOutCancellation(app, id);
}
