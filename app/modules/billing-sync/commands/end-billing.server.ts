import { batchNamed } from "#app/db/batch.server.ts";
import type { Billing } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { isUnknownThere, type ProviderTrouble } from "#app/modules/subscriptions/provider.rules.ts";
import { runningSubscription } from "#app/modules/subscriptions/rules.ts";
import { findCustomer, listSubscriptions, readSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { type Powers, reconcileOrders } from "./reconcile-orders.server.ts";
import { changeOrderState } from "#app/modules/orders/moves.queries.server.ts";
import { findOpenChoice } from "#app/modules/orders/queries.server.ts";

type Payments = NonNullable<Powers["payments"]>;

/** A payment in process can't be called back: its plan would be ended and the money taken all the same. */
export type EndBillingRefusal = ProviderTrouble | { reason: "payment-in-process" };

/**
 * Ends everything that could charge an account again: open checkouts and running plans, at once and at the provider first. It
 * fails closed: without the provider's word nothing counts as ended. What it did is not undone by a refusal that follows,
 * and a second call finds it done.
 */
export async function endBilling(app: Powers, accountId: string): Promise<Result<null, EndBillingRefusal>> {
  const { db, payments } = app;
  const [customer] = await findCustomer(db, accountId);
  if (customer && !payments) return refused({ reason: "not-on-sale" });
  if (customer && payments) {
    const ended = await endAtProvider(app, payments, customer);
    if (!ended.ok) return ended;
  }
  const {
    openChoice: [open],
    subscriptions,
  } = await batchNamed(db, {
    openChoice: findOpenChoice(db, accountId),
    subscriptions: listSubscriptions(db, accountId),
  });
  // Somebody paid while the checkout was being closed: the next call ends what came of it.
  const stillRuns = runningSubscription(subscriptions.map(readSubscription)) !== null;
  if (open?.state === "processing" || (stillRuns && customer)) return refused({ reason: "payment-in-process" });
  if (open) await db.batch(changeOrderState(db, open.id, { to: "cancelled", failure: null }, app.clock()));
  return done(null);
}

/** The provider is told, then asked once more what is true now, which our rows follow. */
async function endAtProvider(
  app: Powers,
  payments: Payments,
  customer: { accountId: string; providerId: string },
): Promise<Result<null, EndBillingRefusal>> {
  const fetched = await payments.fetchBilling(customer.providerId);
  // Nothing of a customer that the provider has forgotten can charge anybody.
  if (!fetched.ok) return isUnknownThere(fetched.refusal) ? done(null) : fetched;
  if (fetched.value.payments.some((payment) => payment.state === "processing")) {
    return refused({ reason: "payment-in-process" });
  }
  for (const end of endings(payments, fetched.value)) {
    const ended = await end();
    if (!ended.ok) return ended;
  }
  const settled = await reconcileOrders(app, customer.accountId);
  if (settled.ok || settled.refusal.reason === "no-customer") return done(null);
  return refused(settled.refusal);
}

/** Checkouts first: one that closes can't turn into a plan any more. */
function endings(payments: Payments, billing: Billing) {
  const open = billing.checkouts.filter((checkout) => checkout.state === "open");
  const running = billing.subscriptions.filter(
    ({ status }) => status !== "canceled" && status !== "incomplete_expired",
  );
  return [
    ...open.map(
      ({ id }) =>
        () =>
          payments.expireCheckout(id),
    ),
    ...running.map(
      ({ id }) =>
        () =>
          payments.endSubscription(id),
    ),
  ];
}
