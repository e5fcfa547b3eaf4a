import { minuteMs } from "#app/domain/kernel/time.ts";
import { settleOrders } from "./settle-orders.server.ts";
import { expireDrafts, listOverduePurchases } from "./store.server.ts";

/** A purchase this long without news is asked about: an event may have been lost. */
const quietMs = 5 * minuteMs;

/** The clock's share: gives up drafts that never opened and repairs what lost events left. Safe to run twice. */
export async function sweepOrders(app: Parameters<typeof settleOrders>[0]): Promise<void> {
  const now = app.clock();
  await expireDrafts(app.db, now);
  const overdue = await listOverduePurchases(app.db, now - quietMs, 10);
  for (const { accountId } of overdue) await settleOrders(app, accountId);
}
