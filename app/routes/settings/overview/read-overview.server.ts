import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { type App, gatekeeperOf } from "#app/app.ts";
import { listRevertibleChanges } from "#app/modules/accounts/address-changes.queries.server.ts";
import { listSessions } from "#app/modules/accounts/sessions.queries.server.ts";
import { countReads, readCounts } from "#app/modules/billing/usage/reads/find-counts.server.ts";
import { listUsage } from "#app/modules/billing/usage/queries.server.ts";
import { findUnconfirmed, listUnpaidOrDisputedOrders } from "#app/modules/billing/orders/queries.server.ts";
import { listPasskeys } from "#app/modules/accounts/passkeys/queries.server.ts";
import { findDeclaredEnd } from "#app/modules/billing/changes/declared-ends.queries.server.ts";
import { findCustomer, listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";

type Period = { month: string; now: number };

/** Everything that the overview shows, in one round trip. */
export async function readOverview(
  app: Pick<App, "db" | "product" | "hooks">,
  accountId: AccountId,
  { month, now }: Period,
) {
  const { db } = app;
  const keeper = gatekeeperOf(app);
  const { counts, passes, ...rows } = await batchNamed(db, {
    subscriptions: listSubscriptions(db, accountId),
    customers: findCustomer(db, accountId),
    counts: countReads(app, accountId),
    usage: listUsage(app, accountId, month),
    unconfirmed: findUnconfirmed(db, accountId),
    unpaidOrDisputed: listUnpaidOrDisputedOrders(db, accountId),
    withdrawals: listDeclared(db, accountId),
    declaredEnds: findDeclaredEnd(db, accountId),
    changes: listRevertibleChanges(db, accountId, now),
    sessions: listSessions(db, accountId, now),
    passkeys: listPasskeys(db, accountId),
    passes: keeper ? [keeper.listPasses(db, accountId, now)] : [],
  });
  return { ...rows, counts: readCounts(app, counts), passes: passes.flat() };
}
