import { type AccountId, noRequest, type RequestId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findCode } from "#app/modules/codes/queries.server.ts";
import { findWithdrawable, listOpenOrders } from "#app/modules/orders/queries.server.ts";
import { listSubscriptions } from "#app/modules/subscriptions/queries.server.ts";
import { runningSubscription } from "#app/modules/subscriptions/rules.ts";
import { listDeclared } from "#app/modules/withdrawals/withdrawals.queries.server.ts";
import { isUnanswered } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { earliestWithdrawable, longestWithdrawal } from "#app/modules/withdrawals/withdrawal-period.rules.ts";

/** What closing the account would end, what erasing it waits for, and the request whose re-authentication interrupted it: one round trip. */
export async function readClosing(
  { db, clock, product }: Pick<App, "db" | "clock" | "product">,
  accountId: AccountId,
  { proof, browserHash }: { proof: RequestId | null; browserHash: string },
) {
  const now = clock();
  const { subscriptions, withdrawals, unpaid, withdrawable, proofs } = await batchNamed(db, {
    withdrawable: findWithdrawable(db, accountId, earliestWithdrawable(product, now)),
    subscriptions: listSubscriptions(db, accountId),
    withdrawals: listDeclared(db, accountId),
    unpaid: listOpenOrders(db, accountId),
    proofs: findCode(db, proof ?? noRequest, browserHash),
  });
  return {
    running: runningSubscription(subscriptions),
    hasOpenWithdrawal: withdrawals.some(isUnanswered),
    /** A payment that the bank is processing can't be stopped, so the account can't be closed. */
    isPaying: unpaid.some(({ state }) => state === "processing"),
    /** The last day on which the customer can withdraw from the plan's contract. Null if they can't. */
    withdrawLastDay: longestWithdrawal(withdrawable, product, now)?.lastDay ?? null,
    proof: proofs[0],
  };
}
