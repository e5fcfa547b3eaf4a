import type { AccountId, OrderId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import type { OrderLine } from "./show-order.server.ts";
import { listOrderLines, listHistoryEvents } from "../browse.queries.server.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { findOrder, readOrder } from "#app/modules/orders/queries.server.ts";
import { retainedOf, refundsOf, returnsOf } from "../history.rules.ts";

export type Receipt = {
  order: Order;
  lines: OrderLine[];
  refunds: ReturnType<typeof refundsOf>;
  returns: ReturnType<typeof returnsOf>;
  /** What is left of the payment. */
  retainedMinor: number;
};

/** What the receipt of a paid order says. Null if the account has no such order or hasn't paid it. */
export async function showReceipt(
  app: Pick<App, "db">,
  accountId: AccountId,
  orderId: OrderId,
): Promise<Receipt | null> {
  const { db } = app;
  const { found, lines, historyEvents } = await batchNamed(db, {
    found: findOrder(db, orderId, accountId),
    lines: listOrderLines(db, orderId, accountId),
    historyEvents: listHistoryEvents(db, orderId, accountId),
  });
  const [order] = found.map(readOrder);
  if (!order || order.paidAt === null) return null;
  const returns = returnsOf(historyEvents);
  return { order, lines, refunds: refundsOf(historyEvents), returns, retainedMinor: retainedOf(order, returns) };
}
