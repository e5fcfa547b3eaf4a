import type { App } from "#app/context.ts";
import { sweepAccounts } from "#app/domain/accounts/sweep-accounts.server.ts";
import { sweepDevices } from "#app/domain/devices/sweep-devices.server.ts";
import { sweepLeaving } from "#app/domain/leaving/sweep-leaving.server.ts";
import { sweepLedger } from "#app/domain/ledger/sweep-ledger.server.ts";
import { sweepMails } from "#app/domain/mail/sweep-mails.server.ts";
import { sweepOperators } from "#app/domain/operators/sweep-operators.server.ts";
import { sweepOrders } from "#app/domain/orders/sweep-orders.server.ts";
import { sweepPlans } from "#app/domain/plans/sweep-plans.server.ts";
import { sweepWithdrawals } from "#app/domain/orders/sweep-withdrawals.server.ts";
import { sweepWaitlist } from "#app/domain/waitlist/sweep-waitlist.server.ts";
import { sweepPasskeys } from "#app/domain/passkeys/sweep-passkeys.server.ts";
import { sweepReferrals } from "#app/domain/referrals/sweep-referrals.server.ts";

/**
 * Each room's sweep, one after the other, each safe to run twice. One that fails doesn't keep the others from running. Mail
 * goes before accounts: codes count from when their mail has left. Those that ask the payment provider come last: its silence
 * keeps nobody else waiting. Rewards follow orders, and the ledger follows rewards.
 */
export async function runSweeps(app: App): Promise<void> {
  const sweeps = [
    ...[sweepPlans, sweepDevices, sweepWaitlist, sweepPasskeys, sweepMails, sweepAccounts, sweepWithdrawals],
    ...[sweepOperators, sweepOrders, sweepReferrals, sweepLedger, sweepLeaving],
  ];
  for (const sweep of sweeps) {
    try {
      await sweep(app);
    } catch (error) {
      app.report(error);
    }
  }
}
