import type { App } from "#app/context.ts";
import { isOpen, newestOrderMs, type Order } from "./rules.ts";
import { settleOrders } from "./settle-orders.server.ts";
import { findNewestOrder, findOrder, readOrder } from "./store.server.ts";

/**
 * The order that a payment page speaks of, as true as can be had now: while it is open the provider is asked first.
 * `isCertain` is false when the provider did not answer; `isFresh`: it answered just now. Null: there is none, or it is somebody else's.
 */
export async function findPayment(
  app: Parameters<typeof settleOrders>[0],
  accountId: string,
  orderId: string | null,
): Promise<{ order: Order; isCertain: boolean; isFresh: boolean } | null> {
  const order = await findShown(app, accountId, orderId);
  if (!order) return null;
  // One that was given up may have been paid all the same: its page could still be open somewhere.
  const mayHaveChanged = isOpen(order.state) || (order.paidAt === null && order.checkoutId !== null);
  if (!mayHaveChanged) return { order, isCertain: true, isFresh: false };
  const settled = await settleOrders(app, accountId);
  const [row] = await findOrder(app.db, order.id, accountId);
  return row ? { order: readOrder(row), isCertain: settled.ok, isFresh: settled.ok } : null;
}

async function findShown(
  app: Pick<App, "db" | "clock">,
  accountId: string,
  orderId: string | null,
): Promise<Order | null> {
  const [row] = orderId
    ? await findOrder(app.db, orderId, accountId)
    : await findNewestOrder(app.db, accountId, app.clock() - newestOrderMs);
  return row ? readOrder(row) : null;
}
