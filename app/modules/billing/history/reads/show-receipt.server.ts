import type { AccountId, OrderId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { listDocumentsOfOrder } from "#app/modules/billing/documents/queries.server.ts";
import { type IssuedDocument, splitDocuments } from "#app/modules/billing/documents/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { findOrder, readOrder } from "#app/modules/billing/orders/queries.server.ts";

export type Receipt = { order: Order; invoice: IssuedDocument; creditNotes: IssuedDocument[] };

/** A paid order with the documents that were issued for it. Null if the account has no such order or hasn't paid it. */
export async function showReceipt(
  app: Pick<App, "db">,
  accountId: AccountId,
  orderId: OrderId,
): Promise<Receipt | null> {
  const { db } = app;
  const { found, documents } = await batchNamed(db, {
    found: findOrder(db, orderId, accountId),
    documents: listDocumentsOfOrder(db, orderId, accountId),
  });
  const [order] = found.map(readOrder);
  const { invoice, creditNotes } = splitDocuments(documents);
  return order && invoice ? { order, invoice, creditNotes } : null;
}
