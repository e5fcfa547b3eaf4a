import type { CustomerId, EventId, PaymentIntentId } from "#app/core/stripe/ids.ts";
import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { webhookEvents } from "./inbox.schema.ts";
import { handlingMs } from "./inbox.rules.ts";

/** Whom events are about: a customer, or, if they name none, the payment by which to find one. */
export type Subject = { customerId: CustomerId | null; paymentId: PaymentIntentId | null };

type NewEvent = Subject & { id: EventId; type: string; namesPlan: boolean };

export const unfinished = ["received", "failed"] as const;

/** Stores an event that arrived; if it is stored already, counts another try. */
export function receiveEvent(db: Database, event: NewEvent, state: "received" | "ignored", now: number) {
  const { id, type, customerId, paymentId, namesPlan } = event;
  return db
    .insert(webhookEvents)
    .values({ id, state, type, customerId, paymentId, namesPlan, receivedAt: now })
    .onConflictDoUpdate({ target: webhookEvents.id, set: { tries: sql`${webhookEvents.tries} + 1` } });
}

/** Stores events from Stripe's list. Those that weren't delivered are due immediately. */
export function addMissedEvents(db: Database, events: NewEvent[], now: number) {
  return statement(
    db,
    sql`
    insert into ${webhookEvents} (id, state, type, customer_id, payment_id, names_plan, tries, received_at)
    select value->>'id', 'received', value->>'type', value->>'customerId', value->>'paymentId', value->>'namesPlan', 0, ${now}
    from json_each(${JSON.stringify(events)}) where true
    on conflict do nothing`,
  );
}

/**
 * Leases all pending events about a subject, unless another request holds a lease. A lease lasts `handlingMs`: if the Worker is killed, the
 * events are due again after that. `tries` is how many tries this adds to those counted on arrival.
 */
export function leaseEvents(db: Database, subject: Subject, tries: 0 | 1, now: number) {
  const { state } = webhookEvents;
  const held = sql`select 1 from ${webhookEvents} as held
    where held.state = 'received' and held.settled_at > ${now} and ${isAbout(subject, sql`held`)}`;
  return db
    .update(webhookEvents)
    .set({ state: "received", tries: sql`${webhookEvents.tries} + ${tries}`, settledAt: now + handlingMs })
    .where(and(inArray(state, [...unfinished]), isAbout(subject, sql`${webhookEvents}`), sql`not exists (${held})`))
    .returning({ id: webhookEvents.id, namesPlan: webhookEvents.namesPlan });
}

/** An event of this customer that another request has leased, if any. */
export function findLeasedEvent(db: Database, { customerId }: { customerId: CustomerId }, now: number) {
  const { id, state, settledAt } = webhookEvents;
  return db
    .select({ id })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.customerId, customerId), eq(state, "received"), gt(settledAt, now)))
    .limit(1);
}

function isAbout({ customerId, paymentId }: Subject, row: SQL): SQL {
  return customerId === null ? sql`${row}.payment_id = ${paymentId}` : sql`${row}.customer_id = ${customerId}`;
}

/** Stores the customer of the payment that events are about. */
export function changeCustomerOfEvents(db: Database, ids: EventId[], customerId: CustomerId) {
  return db.update(webhookEvents).set({ customerId }).where(isOneOf(ids));
}

/** `failure`: why it failed, for operators. */
export function changeToFinished(
  db: Database,
  ids: EventId[],
  { state, failure = null }: { state: "handled" | "failed" | "ignored"; failure?: string | null },
  now: number,
) {
  return db
    .update(webhookEvents)
    .set({ state, failure, settledAt: now })
    .where(and(isOneOf(ids), inArray(webhookEvents.state, [...unfinished])));
}

function isOneOf(ids: EventId[]): SQL {
  return sql`${webhookEvents.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}
