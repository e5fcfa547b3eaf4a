import { syncCredit, type Deps } from "./sync-credit.server.ts";
import type { App } from "#app/app.ts";
import { isAnswered, pollEach } from "#app/core/stripe/poll-each.ts";
import { listBehind } from "../everyone.queries.server.ts";

/** Accounts per run of the cron job. */
const accountsMax = 10;

/**
 * The cron job's work on ledgers: transfers pending lines, records missed transactions, and deducts what expired or is reversed. Idempotent
 * and safe to kill: what to do follows from the stored lines.
 */
export async function sweepLedger(app: Deps & Pick<App, "report">): Promise<void> {
  const accounts = await listBehind(app.db, app.clock(), accountsMax);
  const sync = async ({ accountId }: (typeof accounts)[number]) =>
    isAnswered(await syncCredit({ ...app, payments: app.payments?.withOwnDeadline() ?? null }, accountId));
  await pollEach(accounts, sync, app.report);
}
