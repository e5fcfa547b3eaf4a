import type { App } from "#app/context.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { findCustomerByProviderId } from "#app/domain/plans/store.server.ts";
import { nameCustomer, receiveEvent, settleEvents, type Subject } from "./inbox.store.server.ts";
import { type Powers, settleOrders } from "./settle-orders.server.ts";

export type EventRefusal =
  | { reason: "not-on-sale" }
  | { reason: "signature-invalid" }
  | { reason: "provider-unreachable" };

/** Null: about nobody we know. */
type Heard = Result<{ accountId: string | null }, { reason: "provider-unreachable" }>;

/**
 * Hears an event of the payment provider. It is only a hint: verified, noted once in the inbox, and then the truth is
 * fetched. What we don't know is ignored; what fails is refused, so that the provider tells us again.
 */
export async function hearEvent(
  app: Powers,
  body: string,
  signature: string,
): Promise<Result<{ accountId: string | null }, EventRefusal>> {
  if (!app.payments) return refused({ reason: "not-on-sale" });
  const event = await app.payments.readEvent(body, signature, app.wallClock());
  if (!event) return refused({ reason: "signature-invalid" });
  const [received] = await receiveEvent(app.db, event, app.clock());
  if (received?.state === "handled" || received?.state === "ignored") return done({ accountId: null });
  return handleEvents(app, event, [event.id]);
}

/** Brings the rows of whoever these events are about to what is true now, and notes what became of the events. */
export async function handleEvents(app: Powers, subject: Subject, ids: string[]): Promise<Heard> {
  const settled = await settleSubject(app, subject, ids).catch(async (error: unknown) => {
    await settleEvents(app.db, ids, "failed", app.clock());
    throw error;
  });
  const state = settled.ok ? (settled.value.accountId === null ? "ignored" : "handled") : "failed";
  await settleEvents(app.db, ids, state, app.clock());
  return settled;
}

async function settleSubject(app: Powers, subject: Subject, ids: string[]): Promise<Heard> {
  const payer = await findPayer(app, subject);
  if (!payer.ok) return payer;
  if (payer.value === null) return done({ accountId: null });
  const [[customer]] = await app.db.batch([
    findCustomerByProviderId(app.db, payer.value),
    nameCustomer(app.db, ids, payer.value),
  ]);
  if (!customer) return done({ accountId: null });
  const settled = await settleOrders(app, customer.accountId);
  if (settled.ok) return done({ accountId: customer.accountId });
  switch (settled.refusal.reason) {
    case "no-customer":
      return done({ accountId: null });
    case "provider-refused":
      // Not a matter of time: the key is another account's, say.
      app.report(new Error(`The provider refused to speak of a customer: ${settled.refusal.code}`));
      return refused({ reason: "provider-unreachable" });
    case "not-on-sale":
    case "provider-unreachable":
      return refused({ reason: "provider-unreachable" });
  }
}

/** A dispute names the payment that it is about, and no customer. */
async function findPayer(
  { payments }: Pick<App, "payments">,
  { customerId, paymentId }: Subject,
): Promise<Result<string | null, { reason: "provider-unreachable" }>> {
  if (customerId !== null || paymentId === null || !payments) return done(customerId);
  const found = await payments.findPayer(paymentId);
  if (found.ok) return done(found.value);
  return found.refusal.reason === "provider-unreachable" ? refused({ reason: "provider-unreachable" }) : done(null);
}
