import type { AccountId, OrderId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { findOrder, readOrder } from "#app/modules/orders/queries.server.ts";

type Deps = Pick<App, "db" | "payments">;

/**
 * Finds the URL of Stripe's page of a paid order's invoice, or of its PDF. It is fetched on the click, since it expires within weeks.
 * `unanswered` means that Stripe didn't answer. Null if the account has no such order, or the order is unpaid or has no invoice.
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
