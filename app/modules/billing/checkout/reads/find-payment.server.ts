import type { AccountId, OrderId } from "#app/core/id.ts";
import { chargedAt } from "#app/core/stripe/charge-time.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { nameMethod } from "#app/modules/billing/subscriptions/reminders.rules.ts";
import { runningSubscription, policies } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { newestOrderMs, type Order } from "#app/modules/billing/orders/rules.ts";
import { isOpen, wasJustAsked } from "#app/modules/billing/orders/states.rules.ts";
import type { Deps } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { type SharedSync, shareSync } from "#app/modules/billing/sync/commands/share-sync.server.ts";
import { changeToUnconfirmed } from "#app/modules/billing/orders/states.queries.server.ts";
import { consumeProviderCall } from "../commands/consume-provider-call.server.ts";
import { findNewestOrder, findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";

/**
 * `hasPlan` says whether any paid plan is running. `card` is the charged card as it is displayed. `renewsAt` is null if the plan doesn't
 * renew.
 */
type Found = {
  order: Order;
  hasPlan: boolean;
  card: string | null;
  renewsAt: number | null;
  /** Set for an unpaid renewal: since when it is due, and whether the plan is locked. */
  due: { since: number; isLocked: boolean } | null;
};
type Looked = {
  isCertain: boolean;
  isFresh: boolean;
  pendingSubject: SharedSync["pendingSubject"];
  waitSeconds: number | null;
};

const notAsked: Looked = { isCertain: false, isFresh: false, pendingSubject: null, waitSeconds: null };

/**
 * Finds the order of a payment page, as up to date as possible: while it is open, Stripe is asked first. `isCertain` is false if Stripe
 * didn't answer, was asked a moment ago, or isn't asked for `waitSeconds` because the account's quota is used up. `isFresh` says whether
 * Stripe answered during this request. `pendingSubject` is the subject whose events are handled after the response. Null if the account has
 * no such order.
 */
export async function findPayment(
  app: Deps,
  accountId: AccountId,
  orderId: OrderId | null,
): Promise<(Found & Looked) | null> {
  const found = await findShown(app, accountId, orderId);
  if (!found) return null;
  const { order } = found;
  if (!mayChange(order)) return { ...found, ...notAsked, isCertain: true };
  if (wasJustAsked(order, app.wallClock())) return { ...found, ...notAsked };
  const quota = await consumeProviderCall(app, accountId, "payment-page");
  if (!quota.ok) {
    const waiting = await leaveUnconfirmed(app, accountId, order);
    return waiting && { ...waiting, ...notAsked, waitSeconds: quota.refusal.seconds };
  }
  const hasResult = async () => {
    const shown = await findShown(app, accountId, order.id);
    return shown === null || !mayChange(shown.order);
  };
  const reconciled = await shareSync(app, accountId, hasResult);
  // An account without a Stripe customer has nothing to ask about.
  const isUnanswered = !reconciled.ok && reconciled.refusal.reason !== "no-customer";
  const result = isUnanswered
    ? await leaveUnconfirmed(app, accountId, order)
    : await findShown(app, accountId, order.id);
  return (
    result && {
      ...result,
      isCertain: !isUnanswered,
      isFresh: reconciled.ok && reconciled.value.isOwnSync,
      pendingSubject: reconciled.ok ? reconciled.value.pendingSubject : null,
      waitSeconds: null,
    }
  );
}

/** The customer may just have paid, but Stripe doesn't answer: every page says so until it does. */
async function leaveUnconfirmed(app: Deps, accountId: AccountId, { id: orderId }: Order): Promise<Found | null> {
  await changeToUnconfirmed(app.db, { accountId, orderId, until: app.wallClock() });
  return findShown(app, accountId, orderId);
}

/** A cancelled order may still be paid: its checkout could be open in another tab. */
function mayChange({ state, paidAt, checkoutId }: Order): boolean {
  return isOpen(state) || (paidAt === null && checkoutId !== null);
}

async function findShown(
  { db, clock }: Pick<App, "db" | "clock">,
  accountId: AccountId,
  orderId: OrderId | null,
): Promise<Found | null> {
  const shown = orderId ? findOrder(db, orderId, accountId) : findNewestOrder(db, accountId, clock() - newestOrderMs);
  const {
    shown: [row],
    subscriptions,
  } = await batchNamed(db, { shown, subscriptions: listSubscriptions(db, accountId) });
  const running = runningSubscription(subscriptions);
  if (!row) return null;
  return {
    order: readOrder(row),
    hasPlan: running !== null,
    card: running && nameMethod(running),
    due:
      running && row.kind === "renewal" && policies[running.state].needsPayment
        ? { since: running.pastDueSince ?? clock(), isLocked: !policies[running.state].hasAccess }
        : null,
    renewsAt: running?.state === "active" && running.cancelsAt === null ? chargedAt(running.periodEndsAt) : null,
  };
}
