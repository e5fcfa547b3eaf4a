import { type AccountId, noRequest, type RequestId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findCode } from "#app/modules/accounts/codes/queries.server.ts";
import { findWithdrawable, listOpenOrders } from "#app/modules/billing/orders/queries.server.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { findRenewedUntil } from "#app/modules/billing/orders/changes.queries.server.ts";
import { noticeEndsAt } from "#app/modules/billing/subscriptions/notice.rules.ts";
import { groupOrders } from "#app/modules/billing/withdrawals/contract-orders.rules.ts";
import { listLastContract, readContractOrder } from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import { refundAfterNotice } from "#app/modules/billing/withdrawals/contract.rules.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { earliestWithdrawable, longestWithdrawal } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";

type Notice = Parameters<typeof noticeEndsAt>[2];

/** Until when the plan would run if it were cancelled now, or was cancelled before. Null if that is the end of its period. */
function noticeOf(product: App["product"], running: Subscription | null, notice: Notice): number | null {
  if (running?.state !== "active") return null;
  return running.endsByNotice ? running.cancelsAt : noticeEndsAt(running, product, notice);
}

async function readRefund({ db, product }: Pick<App, "db" | "product">, accountId: AccountId, noticeUntil: number) {
  const paid = (await listLastContract(db, accountId)).map((row) => readContractOrder(row, product));
  const amountMinor = refundAfterNotice(groupOrders(paid, []).at(-1) ?? [], noticeUntil);
  return amountMinor > 0 ? { amountMinor, currency: product.currency, noticeUntil } : null;
}

/**
 * What closing the account would end, what erasing it waits for, and the request whose re-authentication interrupted it: one round trip, and
 * another if a year can be ended with notice.
 */
export async function readClosing(
  { db, clock, product }: Pick<App, "db" | "clock" | "product">,
  accountId: AccountId,
  { proof, browserHash }: { proof: RequestId | null; browserHash: string },
) {
  const now = clock();
  const { subscriptions, withdrawals, unpaid, withdrawable, renewed, proofs } = await batchNamed(db, {
    withdrawable: findWithdrawable(db, accountId, earliestWithdrawable(product, now)),
    subscriptions: listSubscriptions(db, accountId),
    withdrawals: listDeclared(db, accountId),
    unpaid: listOpenOrders(db, accountId),
    renewed: findRenewedUntil(db, accountId),
    proofs: findCode(db, proof ?? noRequest, browserHash),
  });
  const running = runningSubscription(subscriptions);
  const noticeUntil = noticeOf(product, running, { renewedUntil: renewed[0]?.until ?? null, now });
  return {
    running,
    /** What comes back of a renewed year, and the end of its notice. Null if nothing does. */
    refund: noticeUntil === null ? null : await readRefund({ db, product }, accountId, noticeUntil),
    hasOpenWithdrawal: withdrawals.some(isUnanswered),
    /** A payment that the bank is processing can't be stopped, so the account can't be closed. */
    isPaying: unpaid.some(({ state }) => state === "processing"),
    /** The last day on which the customer can withdraw from the plan's contract. Null if they can't. */
    withdrawLastDay: longestWithdrawal(withdrawable, product, now)?.lastDay ?? null,
    proof: proofs[0],
  };
}
