import type { App } from "#app/app.ts";
import type { AccountId } from "#app/core/id.ts";
import { done, type Result } from "#app/core/result.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { consumeProviderCall } from "#app/modules/billing/checkout/commands/consume-provider-call.server.ts";
import type { QuotaRefusal } from "#app/modules/billing/checkout/provider-quota.rules.ts";
import {
  runSubscriptionAction,
  type RunSubscriptionActionRefusal,
} from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { findRunningSubscription } from "#app/modules/billing/subscriptions/queries.server.ts";
import { changeToUndone } from "../queries.server.ts";

/** For an owner who keeps the plan: nothing follows from what was declared before, also if Stripe is still to be asked. */
export async function undoCancellations({ db, clock }: Pick<App, "db" | "clock">, accountId: AccountId): Promise<void> {
  await db.batch([changeToUndone(db, accountId, clock())]);
}

/** The same, and the plan renews again if it was cancelled meanwhile. */
export async function keepPlan(
  app: App,
  account: Account,
): Promise<Result<null, RunSubscriptionActionRefusal | QuotaRefusal>> {
  await undoCancellations(app, account.id);
  const running = await findRunningSubscription(app.db, account.id);
  if (running !== null && running.cancelsAt === null) return done(null);
  const quota = await consumeProviderCall(app, account.id, "action");
  if (!quota.ok) return quota;
  const resumed = await runSubscriptionAction(app, account, "resume");
  return resumed.ok ? done(null) : resumed;
}
