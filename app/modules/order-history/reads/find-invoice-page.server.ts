import type { AccountId, OrderId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { findOrder, readOrder } from "#app/modules/orders/queries.server.ts";

type Deps = Pick<App, "db" | "payments">;

/**
 * Stripe's page of a paid order's invoice, or its PDF, fetched on the click, since its URL expires within weeks. `unanswered`: Stripe didn't answer.
 * Null: no such order, unpaid, without invoice, or another account's.
 */
export async function findInvoicePage(
  { db, payments }: Deps,
  accountId: AccountId,
  orderId: OrderId,
  form: "page" | "pdf" = "page",
): Promise<{ url: string } | "unanswered" | null> {
  const [order] = (await findOrder(db, orderId, accountId)).map(readOrder);
  if (!order || order.paidAt === null || order.invoiceId === null) return null;
  const found = await payments?.findInvoicePage(order.invoiceId, form);
  return found?.ok && found.value !== null ? { url: found.value } : "unanswered";
}
