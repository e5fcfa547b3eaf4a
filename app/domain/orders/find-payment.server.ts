import type { App } from "#app/context.ts";
import { nameCard } from "#app/domain/plans/notices.rules.ts";
import { runningSubscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { isOpen, newestOrderMs, type Order } from "./rules.ts";
import { settleOrders } from "./settle-orders.server.ts";
import { findNewestOrder, findOrder, readOrder } from "./store.server.ts";

/** `hasPlan`: a paid plan runs, whichever. `card` is the one that it is charged to, as people say it. */
type Found = { order: Order; hasPlan: boolean; card: string | null };

/**
 * The order that a payment page speaks of, as true as can be had now: while it is open the provider is asked first.
 * `isCertain` is false when the provider did not answer; `isFresh`: it answered just now. Null: there is none, or it is somebody else's.
 */
export async function findPayment(
  app: Parameters<typeof settleOrders>[0],
  accountId: string,
  orderId: string | null,
): Promise<(Found & { isCertain: boolean; isFresh: boolean }) | null> {
  const found = await findShown(app, accountId, orderId);
  if (!found) return null;
  const { order } = found;
  // One that was given up may have been paid all the same: its page could still be open somewhere.
  const mayHaveChanged = isOpen(order.state) || (order.paidAt === null && order.checkoutId !== null);
  if (!mayHaveChanged) return { ...found, isCertain: true, isFresh: false };
  const settled = await settleOrders(app, accountId);
  const now = await findShown(app, accountId, order.id);
  return now && { ...now, isCertain: settled.ok, isFresh: settled.ok };
}

async function findShown(
  { db, clock }: Pick<App, "db" | "clock">,
  accountId: string,
  orderId: string | null,
): Promise<Found | null> {
  const shown = orderId ? findOrder(db, orderId, accountId) : findNewestOrder(db, accountId, clock() - newestOrderMs);
  const [[row], subscriptions] = await db.batch([shown, listSubscriptions(db, accountId)]);
  const running = runningSubscription(subscriptions.map(readSubscription));
  return row ? { order: readOrder(row), hasPlan: running !== null, card: running && nameCard(running) } : null;
}
