import type { App } from "#app/app.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { featureServers } from "#app/features.server.ts";
import { deleteDueAccounts } from "#app/modules/closing/commands/delete-due-accounts.server.ts";
import { sweepLedger } from "#app/modules/billing/credit/commands/sweep-ledger.server.ts";
import { readFraudWarnings } from "#app/modules/billing/sync/commands/read-fraud-warnings.server.ts";
import { releaseWaitingEmails } from "#app/modules/accounts/codes/commands/release-waiting-emails.server.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { removeOldEmails, eraseFailedEmails } from "#app/modules/email/everyone.queries.server.ts";
import { recordCronRun } from "#app/modules/operators/commands/record-cron-run.server.ts";
import { removeOldOperatorLog } from "#app/modules/operators/everyone.queries.server.ts";
import { eraseKeptBuyers } from "#app/modules/billing/documents/everyone.queries.server.ts";
import { sweepCancellations } from "#app/modules/billing/cancellations/commands/sweep-cancellations.server.ts";
import { sweepOrders } from "#app/modules/billing/sync/commands/sweep-orders.server.ts";
import { compareSoldPrices } from "#app/modules/billing/subscriptions/commands/compare-prices.server.ts";
import { sweepSubscriptions } from "#app/modules/billing/subscriptions/commands/sweep-subscriptions.server.ts";
import {
  acknowledgeWithdrawals,
  removeOldWithdrawals,
} from "#app/modules/billing/withdrawals/everyone.queries.server.ts";
import { removeUsageBefore } from "#app/modules/billing/usage/everyone.queries.server.ts";
import { usageMonthOf, usageRetentionMs } from "#app/modules/billing/usage/rules.ts";
import { removeOldChallenges } from "#app/modules/accounts/passkeys/everyone.queries.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";

type Job = (app: App) => Promise<unknown>;

/**
 * Everything the cron trigger does, in this order, once a minute (`crons` in wrangler.toml). What is due less often is decided by rows:
 * a job takes a limited number of those whose time has come. Each is safe to run twice and to be killed anywhere. Email runs before
 * accounts: codes count from the time their email was sent. Jobs that call Stripe run last, so that a Stripe outage delays no other.
 * Rewards follow orders, and the ledger follows rewards.
 */
export const cronJobs = {
  /** Locks plans whose grace period is over; announces renewals and expiring cards. */
  plans: sweepSubscriptions,
  ...Object.fromEntries(
    featureServers.flatMap(({ name, jobs }) => (jobs?.beforeEmails ? [[name, jobs.beforeEmails] as const] : [])),
  ),
  /** Removes maxima of long past months. */
  usage: async ({ db, clock, product }) => {
    await removeUsageBefore(db, usageMonthOf(clock() - usageRetentionMs, product.timeZone));
  },
  /** Removes used challenges that have expired. */
  passkeys: async ({ db, clock }) => {
    await removeOldChallenges(db, clock());
  },
  /** Sends what is due, with what waited for quotas of ours, and removes what is no longer needed. */
  emails: async (app) => {
    await releaseWaitingEmails(app);
    await deliverDueEmails(app);
    await app.db.batch([eraseFailedEmails(app.db, app.clock()), removeOldEmails(app.db, app.clock())]);
  },
  /** Expires codes and sessions; removes old ones, quotas, activities and changes of address. */
  accounts: sweepAccounts,
  /** Records confirmations that a retry delivered; removes old declarations. */
  withdrawals: async ({ db, clock }) => {
    await db.batch([acknowledgeWithdrawals(db), removeOldWithdrawals(db, clock())]);
  },
  /** Carries out declared cancellations. */
  cancellations: sweepCancellations,
  operators: async ({ db, clock }) => {
    await removeOldOperatorLog(db, clock());
  },
  /** Removes what tax law wanted to know of the buyers of erased accounts. */
  documents: async ({ db, clock }) => {
    await eraseKeptBuyers(db, clock());
  },
  /** Compares Stripe's prices with those that pages show. */
  prices: compareSoldPrices,
  /** Expires drafts, fetches events that were missed, and asks Stripe about customers whose turn it is. */
  orders: sweepOrders,
  /** Reads warnings of fraud that Stripe sent, and removes old ones. */
  "fraud-warnings": readFraudWarnings,
  /** Attributes late sign-ups, and gives or takes back rewards. */
  referrals: sweepReferrals,
  /** Posts credit at Stripe, and expires it. */
  ledger: sweepLedger,
  /** Ends late charges of closed accounts, and erases accounts whose time is over. */
  "account-deletion": deleteDueAccounts,
} satisfies Record<string, Job>;

/** A job that fails doesn't stop the others. The heartbeat is recorded last, so that a run that was killed halfway leaves none. */
export async function runCronJobs(app: App): Promise<void> {
  const failed: string[] = [];
  for (const [name, run] of Object.entries<Job>(cronJobs)) {
    try {
      await run(app);
    } catch (error) {
      failed.push(name);
      app.report(error);
    }
  }
  try {
    await recordCronRun(app, failed);
  } catch (error) {
    app.report(error);
  }
}
