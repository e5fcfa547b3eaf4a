import type { AccountId, Id, OrderId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findUse, listUses, consumeQuotas } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { findDueOrder, findProcessingOrder } from "#app/modules/billing/orders/changes.queries.server.ts";
import { retryAgainAt, retryQuotas, retryWindowMs } from "#app/modules/billing/sync/retries.rules.ts";
import { changeToUnconfirmed } from "#app/modules/billing/orders/states.queries.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { unconfirmedAfterCharge, type UnconfirmedRefusal } from "#app/modules/billing/orders/states.rules.ts";
import {
  type ReconcileRefusal,
  reconcileCustomer,
} from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";

export type RetryRefusal =
  | { reason: "nothing-due" }
  | { reason: "payment-in-process" }
  | UnconfirmedRefusal
  | { reason: "too-many-retries"; retryAt: number }
  | Exclude<ReconcileRefusal, { reason: "no-customer" }>;

/**
 * Tries once to collect what a running plan owes, or one order of it. A decline isn't a refusal here; it shows on the order. Limited per
 * account and day.
 */
export async function retryPayment(
  app: Parameters<typeof reconcileCustomer>[0],
  accountId: AccountId,
  orderId?: OrderId,
): Promise<Result<Order, RetryRefusal>> {
  const { db, payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const {
    dueOrder: [due],
    processingOrder: [inProcess],
  } = await batchNamed(db, {
    dueOrder: findDueOrder(db, accountId, orderId),
    processingOrder: findProcessingOrder(db, accountId, orderId),
  });
  if (due && readOrder(due).isUnconfirmed) return refused({ reason: "payment-unconfirmed", orderId: due.id });
  if (!due?.invoiceId) return refused({ reason: inProcess ? "payment-in-process" : "nothing-due" });
  // Clicks since the same sync count as one attempt. The sync after each attempt allows another.
  const seen = String(due.syncedAt ?? 0);
  const taken = await consumeRetry(app, accountId, `retry_${due.invoiceId}_${seen}`);
  if (!taken.ok) return taken;
  const paid = await payments.payInvoice(due.invoiceId, seen);
  if (!paid.ok && paid.refusal.reason === "provider-unreachable") {
    // A call without an answer may still charge: only Stripe's state after this call counts.
    const askedAt = app.wallClock();
    const until = paid.refusal.isFinal ? askedAt : unconfirmedAfterCharge(askedAt);
    await changeToUnconfirmed(db, { accountId, orderId: due.id, until });
    return refused({ reason: "payment-unconfirmed", orderId: due.id });
  }
  const reconciled = await reconcileCustomer(app, accountId);
  if (!reconciled.ok)
    return refused(reconciled.refusal.reason === "no-customer" ? { reason: "nothing-due" } : reconciled.refusal);
  const [row] = (await findOrder(db, due.id, accountId)).map(readOrder);
  return row ? done(row) : refused({ reason: "nothing-due" });
}

/** Counts one attempt, however many clicks it took. */
async function consumeRetry(
  { db, clock, pepper }: Pick<App, "db" | "clock" | "pepper">,
  accountId: AccountId,
  id: Id<"retry">,
): Promise<Result<null, { reason: "too-many-retries"; retryAt: number }>> {
  const now = clock();
  const { manual } = await retryQuotas(pepper, accountId);
  const [take] = consumeQuotas(db, { id, now, quotas: [manual] });
  const { uses, own } = await batchNamed(db, {
    uses: listUses(db, manual.name, now, retryWindowMs),
    take,
    own: findUse(db, id),
  });
  if (own.length > 0) return done(null);
  const usedAts = uses.map(({ usedAt }) => usedAt);
  return refused({ reason: "too-many-retries", retryAt: retryAgainAt(usedAts, manual.max, now) });
}
