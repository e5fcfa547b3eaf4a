import { sql } from "drizzle-orm";
import { beginErasures } from "#app/modules/accounts/leaving.queries.server.ts";
import { endBilling } from "#app/modules/billing-sync/commands/end-billing.server.ts";
import { hasOpenWithdrawal } from "#app/modules/withdrawals/contract.queries.server.ts";
import { listStillBilled } from "#app/modules/checkout/purchases.queries.server.ts";
import { eraseAccount } from "./erase-account.server.ts";

type Powers = Parameters<typeof endBilling>[0];
type StillBilled = Awaited<ReturnType<typeof listStillBilled>>[number];

/** Accounts of each kind in one run of the cron job. */
const accountsMax = 5;

/**
 * The clock's share: ends what began to charge after somebody left, and erases whose time is over. One with an open declaration of
 * withdrawal is erased once that is refunded or contested, so that its owner can be emailed what came of it. Safe to run twice.
 */
export async function sweepLeaving(app: Powers): Promise<void> {
  // One that can't be ended or erased now keeps nobody else waiting.
  for (const account of await listStillBilled(app.db, accountsMax)) await endLate(app, account).catch(app.report);
  const isHeld = hasOpenWithdrawal(sql`accounts.id`);
  for (const departed of await beginErasures(app.db, app.clock(), accountsMax, isHeld)) {
    await eraseAccount(withOwnDeadline(app), departed).catch(app.report);
  }
}

async function endLate(app: Powers, account: StillBilled): Promise<void> {
  const ended = await endBilling(withOwnDeadline(app), account.id);
  // Money came in after the leaving: somebody has to look whether it goes back.
  if (ended.ok && account.hasPlan) app.report(new Error(`Account ${account.id} was charged while it was leaving`));
}

/** Each account has the provider's whole deadline before it, whatever the ones before it took. */
function withOwnDeadline(app: Powers): Powers {
  return { ...app, payments: app.payments?.withOwnDeadline() ?? null };
}
