import { minuteMs } from "#app/domain/kernel/time.ts";
import { settleOrders } from "./settle-orders.server.ts";
import { expireDrafts } from "./moves.store.server.ts";
import { listOverduePurchases, touchPurchases } from "./store.server.ts";

/** A purchase this long without news is asked about: an event may have been lost. */
const quietMs = 5 * minuteMs;
/** So many accounts a minute: one run of the clock stays short, and the next one turns to others. */
const accountsMax = 10;

/** The clock's share: gives up drafts that never opened and repairs what lost events left. Safe to run twice. */
export async function sweepOrders(app: Parameters<typeof settleOrders>[0]): Promise<void> {
  const now = app.clock();
  await expireDrafts(app.db, now);
  const overdue = await listOverduePurchases(app.db, now - quietMs, accountsMax);
  for (const accountId of new Set(overdue.map((row) => row.accountId))) {
    await touchPurchases(app.db, accountId, now);
    // One account in a state that can't be is told of, and keeps nobody else waiting.
    await settleOrders(app, accountId).catch((error: unknown) => app.report(error));
  }
}
