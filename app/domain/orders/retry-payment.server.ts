import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { findDueOrder } from "./changes.store.server.ts";
import type { Order } from "./rules.ts";
import { type SettleRefusal, settleOrders } from "./settle-orders.server.ts";
import { findOrder, readOrder } from "./store.server.ts";

export type RetryRefusal = { reason: "nothing-due" } | Exclude<SettleRefusal, { reason: "no-customer" }>;

/** Tries to collect what a running plan owes, or that order of it, now and once; a decline isn't a refusal but what the order then says. */
export async function retryPayment(
  app: Parameters<typeof settleOrders>[0],
  accountId: string,
  orderId?: string,
): Promise<Result<Order, RetryRefusal>> {
  const { db, payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  const [due] = await findDueOrder(db, accountId, orderId);
  if (!due?.invoiceId) return refused({ reason: "nothing-due" });
  // Clicks that saw the same standing are one try; a sync after each lets the next one be another.
  const paid = await payments.payInvoice(due.invoiceId, String(due.syncedAt ?? 0));
  if (!paid.ok && paid.refusal.reason === "provider-unreachable") return paid;
  const settled = await settleOrders(app, accountId);
  if (!settled.ok)
    return refused(settled.refusal.reason === "no-customer" ? { reason: "nothing-due" } : settled.refusal);
  const [row] = (await findOrder(db, due.id, accountId)).map(readOrder);
  return row ? done(row) : refused({ reason: "nothing-due" });
}
