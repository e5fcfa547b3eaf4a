import type { CustomerId, EventId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { addJobCursor } from "#app/db/job-cursors.server.ts";
import type { App } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { findCustomerByProviderId } from "#app/modules/billing/subscriptions/queries.server.ts";
import { burstMs, failureLengthMax, roundsMax, webhookCursor } from "../inbox.rules.ts";
import {
  changeCustomerOfEvents,
  receiveEvent,
  changeToFinished,
  type Subject,
  leaseEvents,
} from "../inbox.queries.server.ts";
import { changeToUnconfirmed } from "#app/modules/billing/orders/states.queries.server.ts";
import { claimCustomer } from "./claim-customer.server.ts";
import { type Deps, reconcileCustomer } from "./reconcile-customer.server.ts";

type EventRefusal = { reason: "not-on-sale" } | { reason: "signature-invalid" } | { reason: "provider-unreachable" };

/** `accountId` is null if the events are about a customer that the database doesn't know. */
export type HandledEvents = Result<{ accountId: AccountId | null }, Unanswered>;

/** `failure`: what operators are told. */
type Unanswered = { reason: "provider-unreachable"; failure: string };

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
export async function handleEvents(app: Deps, subject: Subject, taken: LeasedEvent[]): Promise<HandledEvents> {
  let outcome: HandledEvents = done({ accountId: null });
  let waiting = taken;
  for (let round = 1; waiting.length > 0; round += 1) {
    const ids = waiting.map(({ id }) => id);
    const own = round === 1 ? app : { ...app, payments: app.payments?.withOwnDeadline() ?? null };
    outcome = await reconcileSubject(own, subject, waiting).catch(async (error: unknown) => {
      await changeToFinished(app.db, ids, { state: "failed", failure: failureOf(error) }, app.clock());
      throw error;
    });
    const state = outcome.ok ? (outcome.value.accountId === null ? "ignored" : "handled") : "failed";
    const failure = outcome.ok ? null : outcome.refusal.failure;
    const finishing = changeToFinished(app.db, ids, { state, failure }, app.clock());
    const isLast = !outcome.ok || round === roundsMax;
    if (isLast) await finishing;
    waiting = isLast
      ? []
      : (await batchNamed(app.db, { finishing, next: leaseEvents(app.db, subject, 0, app.clock()) })).next;
  }
  return outcome;
}

type LeasedEvent = { id: EventId; namesPlan: boolean };

/** The message of an error that broke a sync. */
export function failureOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, failureLengthMax);
}

const unanswered = "Stripe didn't answer";

async function reconcileSubject(app: Deps, subject: Subject, events: LeasedEvent[]): Promise<HandledEvents> {
  const payer = await findPayer(app, subject);
  if (!payer.ok) return payer;
  if (payer.value === null) return done({ accountId: null });
  const ids = events.map(({ id }) => id);
  if (subject.customerId === null) await changeCustomerOfEvents(app.db, ids, payer.value);
  const [customer] = await findCustomerByProviderId(app.db, payer.value);
  // Another shop may share the account at Stripe: only for what may be ours is Stripe asked about an unknown customer.
  const claimed = customer || !events.some(({ namesPlan }) => namesPlan) ? null : await claimCustomer(app, payer.value);
  if (claimed?.ok === false)
    return refused({ reason: "provider-unreachable", failure: failureOfCall(claimed.refusal) });
  const accountId = customer?.accountId ?? claimed?.value ?? null;
  if (accountId === null) return done({ accountId: null });
  const reconciled = await reconcileCustomer(app, accountId);
  if (reconciled.ok) return done({ accountId });
  switch (reconciled.refusal.reason) {
    case "no-customer":
      return done({ accountId: null });
    case "provider-refused":
      // Retrying won't help: the API key belongs to another Stripe account, for example.
      app.report(new Error(`Stripe refused the request for a customer: ${reconciled.refusal.code}`));
      return refused({ reason: "provider-unreachable", failure: failureOfCall(reconciled.refusal) });
    case "provider-unreachable":
      // The event may be about a payment, which the customer mustn't repeat.
      await changeToUnconfirmed(app.db, { accountId, until: app.wallClock() });
      return refused({ reason: "provider-unreachable", failure: unanswered });
    case "not-on-sale":
      return refused({ reason: "provider-unreachable", failure: "The site has no key of Stripe" });
  }
}

export function failureOfCall(refusal: { reason: string; code?: string }): string {
  return refusal.reason === "provider-refused" ? `Stripe refused: ${refusal.code ?? ""}` : unanswered;
}

/** A dispute event contains the payment, but no customer. */
async function findPayer(
  { payments }: Pick<App, "payments">,
  { customerId, paymentId }: Subject,
): Promise<Result<CustomerId | null, Unanswered>> {
  if (customerId !== null || paymentId === null || !payments) return done(customerId);
  const found = await payments.findPayer(paymentId);
  if (found.ok) return done(found.value);
  return found.refusal.reason === "provider-unreachable"
    ? refused({ reason: "provider-unreachable", failure: unanswered })
    : done(null);
}
