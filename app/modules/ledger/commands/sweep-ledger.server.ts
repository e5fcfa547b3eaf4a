import { syncCredit, type Deps } from "./sync-credit.server.ts";
import type { App } from "#app/app.ts";
import { listBehind } from "../queries.server.ts";

/** Accounts per run of the cron job. */
const accountsMax = 10;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const timeoutsMax = 2;

/**
 * The cron job's part: transfers pending lines, records missed transactions, and deducts what expired or is reversed. Idempotent and safe
 * to kill: what to do follows from the stored lines.
 */
export async function sweepLedger(app: Deps & Pick<App, "report">): Promise<void> {
  let timeouts = 0;
  for (const { accountId } of await listBehind(app.db, app.clock(), accountsMax)) {
    const payments = app.payments?.withOwnDeadline() ?? null;
    try {
      const followed = await syncCredit({ ...app, payments }, accountId);
      timeouts = followed.ok || followed.refusal.reason !== "provider-unreachable" ? 0 : timeouts + 1;
    } catch (error) {
      // An account whose data violates an invariant is reported and doesn't delay the others.
      app.report(error);
    }
    if (timeouts === timeoutsMax) return;
  }
}
