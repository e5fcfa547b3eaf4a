import type { AccountId, OrderId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { changeOrderState } from "#app/modules/billing/orders/states.queries.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { underWayMs } from "#app/modules/billing/orders/states.rules.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { findOpenChoice, findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";

type Deps = Parameters<typeof reconcileCustomer>[0];

/** Why an open order can't be closed. */
export type ClosingRefusal = { reason: "payment-in-process"; orderId: OrderId } | ProviderFailure;

/** Cancels the purchase that an account has chosen and not paid yet. Null if there was none. */
export async function abandonChoice(app: Deps, accountId: AccountId): Promise<Result<Order | null, ClosingRefusal>> {
  const [open] = (await findOpenChoice(app.db, accountId)).map(readOrder);
  if (!open) return done(null);
  const closed = await closeChoice(app, open);
  return closed.ok ? done(open) : closed;
}

/** Closes this order, and not a newer one that another tab may be paying. */
export async function closeChoice(app: Deps, stored: Order): Promise<Result<null, ClosingRefusal>> {
  const before = stored.state === "draft" ? await lookAgain(app, stored) : done(stored);
  if (!before.ok) return before;
  const { id, state, paidAt, createdAt } = before.value;
  // Another tab may be charging it right now: if it were closed, the customer would pay for it and its replacement.
  const isUnderWay = state === "draft" && app.clock() - createdAt < underWayMs;
  if (isUnderWay || state === "processing" || paidAt !== null) {
    return refused({ reason: "payment-in-process", orderId: id });
  }
  return closePurchase(app, before.value);
}

/** Syncs with Stripe before a change whose answer was lost is closed, because it may have been charged. */
async function lookAgain(app: Deps, order: Order): Promise<Result<Order, ClosingRefusal>> {
  const reconciled = await reconcileCustomer(app, order.accountId);
  if (!reconciled.ok && reconciled.refusal.reason !== "no-customer") return refused(reconciled.refusal);
  const [row] = (await findOrder(app.db, order.id, order.accountId)).map(readOrder);
  return done(row ?? order);
}

/** Closes an order at Stripe before another purchase begins, so that the customer can't pay twice. */
export async function closePurchase(app: Deps, order: Order): Promise<Result<null, ClosingRefusal>> {
  if (order.invoiceId && app.payments) {
    const voided = await app.payments.voidInvoice(order.invoiceId);
    if (!voided.ok) return voided;
    if (voided.value === "paid") return refused({ reason: "payment-in-process", orderId: order.id });
  }
  if (order.checkoutId && app.payments) {
    const ended = await app.payments.expireCheckout(order.checkoutId);
    if (!ended.ok) return ended;
    if (ended.value === "complete") {
      const reconciled = await reconcileCustomer(app, order.accountId);
      if (!reconciled.ok) return refused({ reason: "payment-in-process", orderId: order.id });
      const [row] = await findOrder(app.db, order.id, order.accountId);
      // The customer has completed the checkout. Only if the payment failed afterwards, as a debit can, may the order be cancelled.
      if (row?.state !== "failed") return refused({ reason: "payment-in-process", orderId: order.id });
    }
  }
  await app.db.batch(changeOrderState(app.db, order.id, { to: "cancelled", failure: null }, app.clock()));
  return done(null);
}
