import { done, refused, type Result } from "#app/core/result.ts";
import type { ProviderTrouble } from "#app/modules/subscriptions/provider.rules.ts";
import { changeOrderState } from "#app/modules/orders/moves.queries.server.ts";
import { type Order, underWayMs } from "#app/modules/orders/rules.ts";
import { reconcileOrders } from "#app/modules/billing-sync/commands/reconcile-orders.server.ts";
import { findOpenChoice, findOrder, readOrder } from "#app/modules/orders/queries.server.ts";

type Powers = Parameters<typeof reconcileOrders>[0];

/** Why something that is open can't be closed. */
export type ClosingRefusal = { reason: "payment-in-process"; orderId: string } | ProviderTrouble;

/** Gives up what somebody chose and hasn't paid for so far. Null: there was nothing. */
export async function giveUpChoice(app: Powers, accountId: string): Promise<Result<Order | null, ClosingRefusal>> {
  const [open] = (await findOpenChoice(app.db, accountId)).map(readOrder);
  if (!open) return done(null);
  const closed = await closeChoice(app, open);
  return closed.ok ? done(open) : closed;
}

/** Nobody can pay for it any more. That one and no other: a newer one may be on its way by now. */
export async function closeChoice(app: Powers, stored: Order): Promise<Result<null, ClosingRefusal>> {
  const before = stored.state === "draft" ? await lookAgain(app, stored) : done(stored);
  if (!before.ok) return before;
  const { id, state, paidAt, createdAt } = before.value;
  // Another tab may be asking for it in this very moment: closed now, it would be charged beside what comes in its place.
  const isUnderWay = state === "draft" && app.clock() - createdAt < underWayMs;
  if (isUnderWay || state === "processing" || paidAt !== null) {
    return refused({ reason: "payment-in-process", orderId: id });
  }
  return closePurchase(app, before.value);
}

/** What was begun and never answered may have been charged all the same: the provider is asked before it is closed. */
async function lookAgain(app: Powers, order: Order): Promise<Result<Order, ClosingRefusal>> {
  const settled = await reconcileOrders(app, order.accountId);
  if (!settled.ok && settled.refusal.reason !== "no-customer") return refused(settled.refusal);
  const [row] = (await findOrder(app.db, order.id, order.accountId)).map(readOrder);
  return done(row ?? order);
}

/** Ends what is open at the provider before another purchase can begin: nobody can pay twice. */
export async function closePurchase(app: Powers, order: Order): Promise<Result<null, ClosingRefusal>> {
  if (order.invoiceId && app.payments) {
    const voided = await app.payments.voidInvoice(order.invoiceId);
    if (!voided.ok) return voided;
    if (voided.value === "paid") return refused({ reason: "payment-in-process", orderId: order.id });
  }
  if (order.checkoutId && app.payments) {
    const ended = await app.payments.expireCheckout(order.checkoutId);
    if (!ended.ok) return ended;
    if (ended.value === "complete") {
      const settled = await reconcileOrders(app, order.accountId);
      if (!settled.ok) return refused({ reason: "payment-in-process", orderId: order.id });
      const [row] = await findOrder(app.db, order.id, order.accountId);
      // Somebody went through with it. Only one whose payment failed afterwards (a debit) may be given up.
      if (row?.state !== "failed") return refused({ reason: "payment-in-process", orderId: order.id });
    }
  }
  await app.db.batch(changeOrderState(app.db, order.id, { to: "cancelled", failure: null }, app.clock()));
  return done(null);
}
