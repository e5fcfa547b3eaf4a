import type { App } from "#app/app.ts";
import { acknowledgeWithdrawals, removeOldWithdrawals } from "../withdrawals.queries.server.ts";

/** The cron job's part: stores which emails were sent by a later try, and removes old withdrawals. Idempotent. */
export async function sweepWithdrawals(app: Pick<App, "db" | "clock">): Promise<void> {
  await app.db.batch([acknowledgeWithdrawals(app.db), removeOldWithdrawals(app.db, app.clock())]);
}
