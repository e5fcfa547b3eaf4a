import type { CustomerId, EventId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { addJobCursor } from "#app/db/job-cursors.server.ts";
import type { App } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { findCustomerByProviderId } from "#app/modules/subscriptions/queries.server.ts";
import { burstMs, roundsMax, webhookCursor } from "#app/modules/stripe-events/inbox.rules.ts";
import {
  changeCustomerOfEvents,
  receiveEvent,
  changeToFinished,
  type Subject,
  leaseEvents,
} from "#app/modules/stripe-events/inbox.queries.server.ts";
import { changeToUnconfirmed } from "#app/modules/orders/transitions.queries.server.ts";
import { type Deps, reconcileCustomer } from "./reconcile-customer.server.ts";

type EventRefusal = { reason: "not-on-sale" } | { reason: "signature-invalid" } | { reason: "provider-unreachable" };

/** `accountId` is null if the events are about a customer that the database doesn't know. */
export type HandledEvents = Result<{ accountId: AccountId | null }, { reason: "provider-unreachable" }>;

/**
 * Verifies an event from Stripe and stores it once in the inbox, where it can't be lost. The event is only a hint: the site fetches
 * everything about its customer afterwards, once for all pending events. Null if the event is about no customer.
 */
export async function acceptEvent(
  { db, payments, clock, wallClock }: Deps,
  body: string,
  signature: string,
): Promise<Result<Subject | null, Exclude<EventRefusal, { reason: "provider-unreachable" }>>> {
  if (!payments) return refused({ reason: "not-on-sale" });
  const event = await payments.readEvent(body, signature, wallClock());
  if (!event) return refused({ reason: "signature-invalid" });
  const { customerId, paymentId } = event;
  const isAboutCustomer = customerId !== null || paymentId !== null;
  const state = isAboutCustomer ? "received" : "ignored";
  await db.batch([receiveEvent(db, event, state, clock()), addJobCursor(db, webhookCursor, clock())]);
  return done(isAboutCustomer ? { customerId, paymentId } : null);
}

/** Handles the pending events of a customer, after a short wait for others of the same cause. */
export async function handlePending(app: Deps, subject: Subject): Promise<HandledEvents> {
  await app.pause(burstMs);
  const { taken } = await batchNamed(app.db, { taken: leaseEvents(app.db, subject, 0, app.clock()) });
  return handleEvents(app, subject, taken);
}

/**
 * Syncs the customer of these events and stores the outcome. Events that arrived meanwhile are handled together in another round, since
 * they may be newer than Stripe's answer.
 */
export async function handleEvents(app: Deps, subject: Subject, taken: { id: EventId }[]): Promise<HandledEvents> {
  let outcome: HandledEvents = done({ accountId: null });
  let waiting = taken;
  for (let round = 1; waiting.length > 0; round += 1) {
    const ids = waiting.map(({ id }) => id);
    const own = round === 1 ? app : { ...app, payments: app.payments?.withOwnDeadline() ?? null };
    outcome = await reconcileSubject(own, subject, ids).catch(async (error: unknown) => {
      await changeToFinished(app.db, ids, "failed", app.clock());
      throw error;
    });
    const state = outcome.ok ? (outcome.value.accountId === null ? "ignored" : "handled") : "failed";
    const finishing = changeToFinished(app.db, ids, state, app.clock());
    const isLast = !outcome.ok || round === roundsMax;
    if (isLast) await finishing;
    waiting = isLast
      ? []
      : (await batchNamed(app.db, { finishing, next: leaseEvents(app.db, subject, 0, app.clock()) })).next;
  }
  return outcome;
}

async function reconcileSubject(app: Deps, subject: Subject, ids: EventId[]): Promise<HandledEvents> {
  const payer = await findPayer(app, subject);
  if (!payer.ok) return payer;
  if (payer.value === null) return done({ accountId: null });
  if (subject.customerId === null) await changeCustomerOfEvents(app.db, ids, payer.value);
  const [customer] = await findCustomerByProviderId(app.db, payer.value);
  if (!customer) return done({ accountId: null });
  const reconciled = await reconcileCustomer(app, customer.accountId);
  if (reconciled.ok) return done({ accountId: customer.accountId });
  switch (reconciled.refusal.reason) {
    case "no-customer":
      return done({ accountId: null });
    case "provider-refused":
      // Retrying won't help: the API key belongs to another Stripe account, for example.
      app.report(new Error(`Stripe refused the request for a customer: ${reconciled.refusal.code}`));
      return refused({ reason: "provider-unreachable" });
    case "provider-unreachable":
      // The event may be about a payment, which the customer mustn't repeat.
      await changeToUnconfirmed(app.db, { accountId: customer.accountId, until: app.wallClock() });
      return refused({ reason: "provider-unreachable" });
    case "not-on-sale":
      return refused({ reason: "provider-unreachable" });
  }
}

/** A dispute event contains the payment, but no customer. */
async function findPayer(
  { payments }: Pick<App, "payments">,
  { customerId, paymentId }: Subject,
): Promise<Result<CustomerId | null, { reason: "provider-unreachable" }>> {
  if (customerId !== null || paymentId === null || !payments) return done(customerId);
  const found = await payments.findPayer(paymentId);
  if (found.ok) return done(found.value);
  return found.refusal.reason === "provider-unreachable" ? refused({ reason: "provider-unreachable" }) : done(null);
}
