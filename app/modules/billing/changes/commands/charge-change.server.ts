import type { App } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { isChangeBlocked } from "#app/modules/billing/subscriptions/provider.rules.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { openChange } from "#app/modules/billing/orders/changes.queries.server.ts";
import { changeOrderState, changeToUnconfirmed } from "#app/modules/billing/orders/states.queries.server.ts";
import { findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { unconfirmedAfterCharge } from "#app/modules/billing/orders/states.rules.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { refuseBuyer } from "#app/modules/billing/subscriptions/commands/refuse-buyer.server.ts";
import { priceForChange, type StartChangeRefusal } from "../reads/offer-change.server.ts";

type Paying = Parameters<typeof reconcileCustomer>[0] & { payments: NonNullable<App["payments"]> };
/** Its order contains the result of the charge. */
export type BegunChange = { kind: "begun"; order: Order };
type Begun = Result<BegunChange, StartChangeRefusal>;

/**
 * Charges a change whose order was written. Of many clicks one charges; the others are answered before, during or after it with the state
 * of the same order.
 */
export async function chargeChange(app: Paying, running: Subscription, order: Order): Promise<Begun> {
  const answer = order.state === "draft" ? await chargeAtStripe(app, running, order) : done(null);
  // Syncs with Stripe whether it answered or not.
  const reconciled = await reconcileCustomer(app, order.accountId);
  const current = await readAgain(app, order);
  if (current.state !== "draft") return answerWithOrder(app, current, { isSynced: answer.ok && reconciled.ok });
  // A definite refusal, or a failure that Stripe repeats under this key for a day: this order will never be charged. Without an answer it
  // stays, and the next click resumes it.
  const isOver = !answer.ok && (answer.refusal.reason === "provider-refused" || answer.refusal.isFinal);
  const end = { to: "cancelled", from: ["draft"], failure: null } as const;
  const askedAt = app.wallClock();
  const until = answer.ok || isOver ? askedAt : unconfirmedAfterCharge(askedAt);
  if (reconciled.ok && isOver) await app.db.batch(changeOrderState(app.db, order.id, end, app.clock()));
  else await leaveUnconfirmed(app, order, { until, state: "draft" });
  const after = await readAgain(app, order);
  // Another click has charged it meanwhile.
  if (after.state !== "draft" && after.state !== "cancelled") return answerWithOrder(app, after, { isSynced: false });
  if (answer.ok || !reconciled.ok || !isOver) return refused({ reason: "payment-unconfirmed", orderId: order.id });
  // Another payment changed the plan since the quote, or one failed: the offer has changed.
  return refused(isChangeBlocked(answer.refusal) ? { reason: "quote-moved" } : await refuseBuyer(app, answer.refusal));
}

/** `isSynced` means that the sync ran after the charge. Otherwise it may have missed another click's charge and runs again. */
async function answerWithOrder(app: Paying, order: Order, { isSynced }: { isSynced: boolean }): Promise<Begun> {
  if (isSynced || order.state !== "pending") return done({ kind: "begun", order });
  const reconciled = await reconcileCustomer(app, order.accountId);
  if (!reconciled.ok) await leaveUnconfirmed(app, order, { until: app.wallClock() });
  return done({ kind: "begun", order: await readAgain(app, order) });
}

async function leaveUnconfirmed(
  app: Paying,
  { id: orderId, accountId }: Order,
  unconfirmed: { until: number; state?: "draft" },
) {
  await changeToUnconfirmed(app.db, { accountId, orderId, ...unconfirmed });
}

async function readAgain({ db }: Paying, order: Order): Promise<Order> {
  const [row] = (await findOrder(db, order.id, order.accountId)).map(readOrder);
  return row ?? order;
}

async function chargeAtStripe(app: Paying, running: Subscription, order: Order) {
  const changed = await app.payments.changePlan({
    orderId: order.id,
    subscriptionId: running.id,
    price: priceForChange(app.product, running, order),
    prorationAt: order.prorationAt,
  });
  if (changed.ok && changed.value.invoiceId) {
    await app.db.batch(openChange(app.db, order.id, changed.value.invoiceId, app.clock()));
  }
  return changed;
}
