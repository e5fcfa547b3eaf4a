import type { App } from "#app/context.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { findCustomerByProviderId } from "#app/domain/plans/store.server.ts";
import { receiveEvent, settleEvent } from "./inbox.store.server.ts";
import { settleOrders } from "./settle-orders.server.ts";

export type EventRefusal =
  | { reason: "not-on-sale" }
  | { reason: "signature-invalid" }
  | { reason: "provider-unreachable" };

/**
 * Hears an event of the payment provider. It is only a hint: verified, noted once in the inbox, and then the truth is
 * fetched. What we don't know is ignored; what fails is refused, so that the provider tells us again.
 */
export async function hearEvent(
  app: Parameters<typeof settleOrders>[0],
  body: string,
  signature: string,
): Promise<Result<{ accountId: string | null }, EventRefusal>> {
  if (!app.payments) return refused({ reason: "not-on-sale" });
  const event = await app.payments.readEvent(body, signature, app.wallClock());
  if (!event) return refused({ reason: "signature-invalid" });
  // Refunds and disputes name the payment that they are about, and no customer.
  const payer = event.customerId ?? (event.paymentId && (await findPayer(app.payments, event.paymentId)));
  if (payer === "unreachable") return refused({ reason: "provider-unreachable" });
  const [received, customers] = await app.db.batch([
    receiveEvent(app.db, { ...event, customerId: payer, now: app.clock() }),
    findCustomerByProviderId(app.db, payer ?? ""),
  ]);
  const state = received[0]?.state;
  if (state === "handled" || state === "ignored") return done({ accountId: null });
  const [customer] = customers;
  if (!customer) {
    await settleEvent(app.db, event.id, "ignored", app.clock());
    return done({ accountId: null });
  }
  const settled = await settleOrders(app, customer.accountId);
  await settleEvent(app.db, event.id, settled.ok ? "handled" : "failed", app.clock());
  return settled.ok ? done({ accountId: customer.accountId }) : refused({ reason: "provider-unreachable" });
}

async function findPayer(payments: NonNullable<App["payments"]>, paymentId: string): Promise<string | null> {
  const found = await payments.findPayer(paymentId);
  if (found.ok) return found.value;
  return found.refusal.reason === "provider-unreachable" ? "unreachable" : null;
}
