import type { App } from "#app/app.ts";
import { findOrder, readOrder } from "#app/modules/orders/queries.server.ts";

type Powers = Pick<App, "db" | "payments">;

/**
 * Where the provider shows the invoice of a paid order, asked for on the click: such an address expires within weeks. `unanswered`: the
 * provider didn't say. Null: it wasn't paid, there is none, or it is somebody else's.
 */
export async function findInvoicePage(
  { db, payments }: Powers,
  accountId: string,
  orderId: string,
): Promise<{ url: string } | "unanswered" | null> {
  const [order] = (await findOrder(db, orderId, accountId)).map(readOrder);
  if (!order || order.paidAt === null || order.invoiceId === null) return null;
  const found = await payments?.findInvoicePage(order.invoiceId);
  return found?.ok && found.value !== null ? { url: found.value } : "unanswered";
}
