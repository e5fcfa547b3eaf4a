import { sql } from "drizzle-orm";
import { beginErasures } from "#app/modules/accounts/everyone.queries.server.ts";
import { endBilling } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { hasOpenWithdrawal } from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import { listStillBilled } from "#app/modules/billing/checkout/everyone.queries.server.ts";
import { eraseAccount } from "./erase-account.server.ts";

type Deps = Parameters<typeof endBilling>[0];
type StillBilled = Awaited<ReturnType<typeof listStillBilled>>[number];

/** Accounts of each kind per run of the cron job. */
const accountsMax = 5;

/**
 * The cron job's part: cancels subscriptions that started after the account was closed, and erases accounts whose restore period has ended.
 * An account with an open withdrawal is erased only once that is refunded or contested, so that its owner can be emailed the outcome.
 * Idempotent.
 */
export async function deleteDueAccounts(app: Deps): Promise<void> {
  // An account that can't be ended or erased now doesn't delay the others.
  for (const account of await listStillBilled(app.db, accountsMax)) await endLate(app, account).catch(app.report);
  const isHeld = hasOpenWithdrawal(sql`accounts.id`);
  for (const departed of await beginErasures(app.db, app.clock(), accountsMax, isHeld)) {
    await eraseAccount(withOwnDeadline(app), departed).catch(app.report);
  }
}

async function endLate(app: Deps, account: StillBilled): Promise<void> {
  const ended = await endBilling(withOwnDeadline(app), account.id);
  // The customer paid after closing the account, so an operator has to decide about a refund.
  if (ended.ok && account.hasPlan) app.report(new Error(`Account ${account.id} was charged while it was leaving`));
}

/** Each account gets Stripe's full deadline, however long the others took. */
function withOwnDeadline(app: Deps): Deps {
  return { ...app, payments: app.payments?.withOwnDeadline() ?? null };
}
