import type { App } from "#app/app.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { sweepDevices } from "#app/modules/devices/commands/sweep-devices.server.ts";
import { sweepLeaving } from "#app/modules/account-deletion/commands/sweep-leaving.server.ts";
import { sweepLedger } from "#app/modules/ledger/commands/sweep-ledger.server.ts";
import { sweepMails } from "#app/modules/email/commands/sweep-mails.server.ts";
import { sweepOperators } from "#app/modules/operators/commands/sweep-operators.server.ts";
import { sweepOrders } from "#app/modules/billing-sync/commands/sweep-orders.server.ts";
import { sweepPlans } from "#app/modules/subscriptions/commands/sweep-plans.server.ts";
import { sweepWithdrawals } from "#app/modules/withdrawals/commands/sweep-withdrawals.server.ts";
import { sweepWaitlist } from "#app/modules/waitlist/commands/sweep-waitlist.server.ts";
import { sweepPasskeys } from "#app/modules/passkeys/commands/sweep-passkeys.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";

/**
 * Runs each module's sweep in turn; each is safe to run twice, and one that fails doesn't stop the others. Email runs before accounts:
 * codes count from the time their email was sent. Sweeps that call Stripe run last, so that a Stripe outage delays no other sweep.
 * Rewards follow orders, and the ledger follows rewards.
 */
export async function runSweeps(app: App): Promise<void> {
  const sweeps = [
    sweepPlans,
    sweepDevices,
    sweepWaitlist,
    sweepPasskeys,
    sweepMails,
    sweepAccounts,
    sweepWithdrawals,
    sweepOperators,
    sweepOrders,
    sweepReferrals,
    sweepLedger,
    sweepLeaving,
  ];
  for (const sweep of sweeps) {
    try {
      await sweep(app);
    } catch (error) {
      app.report(error);
    }
  }
}
