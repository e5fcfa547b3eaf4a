import type { App } from "#app/app.ts";
import { acknowledgeWithdrawals, removeOldWithdrawals } from "../withdrawals.queries.server.ts";

/** The clock's share: notes mails that left by a later try, and forgets what is long over. Safe to run twice. */
export async function sweepWithdrawals(app: Pick<App, "db" | "clock">): Promise<void> {
  await app.db.batch([acknowledgeWithdrawals(app.db), removeOldWithdrawals(app.db, app.clock())]);
}
