import { secondMs } from "#app/core/time/time.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import {
  asksForReason,
  type CancellationReason,
} from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { listReasons } from "#app/modules/billing/subscriptions/cancellation-reasons.queries.server.ts";
import type { App } from "#app/app.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { findCustomer, listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { noticeEndsAt } from "#app/modules/billing/subscriptions/notice.rules.ts";
import { findRenewedUntil, listOrdersOfPlan } from "#app/modules/billing/orders/changes.queries.server.ts";
import { findDeclaredEnd } from "../declared-ends.queries.server.ts";
import type { MarkedOrder, Order } from "#app/modules/billing/orders/rules.ts";
import { isOpen, undonePayment } from "#app/modules/billing/orders/states.rules.ts";
import { findWithdrawable, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { earliestWithdrawable, longestWithdrawal } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { type Declared, isPlanWithdrawn, isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";

type ShownPlan = {
  running: Subscription | null;
  /** When it ends if it is cancelled now, if that is before its period is over. */
  noticeEndsAt: number | null;
  /** A cancellation that was declared and isn't carried out yet. */
  declaredEnd: Awaited<ReturnType<typeof findDeclaredEnd>>[number] | null;
  /** The last plan that ended, if none is running. */
  ended: Subscription | null;
  creditMinor: number;
  /** The running plan's orders, newest first; without one, the account's latest. */
  orders: MarkedOrder[];
  /** The first unpaid renewal, which is collected before any other. */
  due: Order | null;
  /** A chosen and unpaid order: a first payment or a change. */
  open: Order | null;
  /** If there is no plan: the last payment, if it wasn't what was asked for and was sent back. */
  undone: Order | null;
  /**
   * Set if the owner is asked why the plan was cancelled, with the answer given so far. Null if nothing is cancelled, or it was long ago.
   */
  question: { given: { reason: CancellationReason; comment: string | null } | null } | null;
  /** Withdrawals from the account's orders that are neither refunded nor contested. */
  withdrawals: (Pick<Declared, "declaredAt" | "declaredBy"> & { orderId: OrderId })[];
  /** Whether one of these is from the running plan, which ends when it is refunded. */
  isWithdrawn: boolean;
  /** The order that can be withdrawn from the longest, and until when. Null if none can. */
  withdrawable: ReturnType<typeof longestWithdrawal>;
  /** Whether the ended plan was refunded because a withdrawal was accepted. */
  isEndedByWithdrawal: boolean;
};

/** The statements that read what `shownPlan` needs, for a page that shows more than the plan in the same round trip. */
export function planReads({ db, product }: Pick<App, "db" | "product">, accountId: AccountId, now: number) {
  return {
    subscriptions: listSubscriptions(db, accountId),
    customers: findCustomer(db, accountId),
    orders: listOrdersOfPlan(db, accountId),
    reasons: listReasons(db, accountId),
    withdrawals: listDeclared(db, accountId),
    renewed: findRenewedUntil(db, accountId),
    declaredEnds: findDeclaredEnd(db, accountId),
    withdrawable: findWithdrawable(db, accountId, earliestWithdrawable(product, now)),
  };
}

type PlanRows = { [Name in keyof ReturnType<typeof planReads>]: Awaited<ReturnType<typeof planReads>[Name]> };

export function shownPlan({ product }: Pick<App, "product">, rows: PlanRows, now: number): ShownPlan {
  const { subscriptions, customers, reasons, withdrawals, renewed } = rows;
  const running = runningSubscription(subscriptions);
  const orders = rows.orders.map(readOrder);
  const open = orders.filter(({ state }) => isOpen(state));
  const choice = open.find(({ kind }) => kind !== "renewal") ?? null;
  const last = running ? null : (subscriptions.find(({ state }) => state === "ended") ?? null);
  // A first payment that failed leaves an ended subscription at Stripe, which never was a plan. Stripe counts in whole seconds.
  const ended = last && choice && choice.createdAt < last.startedAt + secondMs ? null : last;
  const cancelled = running ?? ended;
  const undone = running ? null : undonePayment(orders, ended);
  const given = reasons.find(({ subscriptionId }) => subscriptionId === cancelled?.id);
  return {
    running,
    noticeEndsAt: running && noticeEndsAt(running, product, { renewedUntil: renewed[0]?.until ?? null, now }),
    declaredEnd: running?.cancelsAt === null ? (rows.declaredEnds[0] ?? null) : null,
    ended,
    creditMinor: customers[0]?.creditMinor ?? 0,
    orders,
    due: open.findLast(({ kind }) => kind === "renewal") ?? null,
    open: choice,
    undone,
    question: cancelled && !undone && asksForReason(cancelled, now) ? { given: given ?? null } : null,
    withdrawals: withdrawals.filter(isUnanswered),
    isWithdrawn: isPlanWithdrawn(withdrawals, running),
    withdrawable: longestWithdrawal(rows.withdrawable, product, now),
    isEndedByWithdrawal:
      ended !== null &&
      withdrawals.some(({ state, paidAt }) => state === "refunded" && (paidAt ?? 0) >= ended.startedAt),
  };
}

/** Everything that is known of a plan, in one round trip. */
export async function showPlan(app: Pick<App, "db" | "product" | "clock">, accountId: AccountId): Promise<ShownPlan> {
  const now = app.clock();
  return shownPlan(app, await batchNamed(app.db, planReads(app, accountId, now)), now);
}
