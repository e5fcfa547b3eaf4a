import { and, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { webhookEvents } from "./schema.ts";
import { eventKeptMs, eventTriesMax, eventWaitAtMostMs, eventWaitMs, handlingMs } from "./inbox.rules.ts";

/** Whom events are about: a customer, or where they name none, who pays by a payment. */
export type Subject = { customerId: string | null; paymentId: string | null };
export type NewEvent = Subject & { id: string; type: string };

const unsettled = ["received", "failed"] as const;

/** Notes an event that arrived; one that was heard before counts a further try. */
export function receiveEvent(db: Database, event: NewEvent, state: "received" | "ignored", now: number) {
  const { id, type, customerId, paymentId } = event;
  return db
    .insert(webhookEvents)
    .values({ id, state, type, customerId, paymentId, receivedAt: now })
    .onConflictDoUpdate({ target: webhookEvents.id, set: { tries: sql`${webhookEvents.tries} + 1` } });
}

/** Events of the provider's list: those that nobody told us of wait to be handled, at once. */
export function addMissedEvents(db: Database, events: NewEvent[], now: number) {
  return statement(
    db,
    sql`
    insert into ${webhookEvents} (id, state, type, customer_id, payment_id, tries, received_at)
    select value->>'id', 'received', value->>'type', value->>'customerId', value->>'paymentId', 0, ${now}
    from json_each(${JSON.stringify(events)}) where true
    on conflict do nothing`,
  );
}

/** When an event that wasn't handled is due again: after each try twice as late. */
const dueAt = sql`coalesce(${webhookEvents.settledAt}, ${webhookEvents.receivedAt}) + case ${webhookEvents.tries} when 0 then 0
  else min(${eventWaitAtMostMs}, ${eventWaitMs} * (1 << (${webhookEvents.tries} - 1))) end`;

/** Whose events wait to be handled, whoever waits longest first; however many events, each subject is one turn. */
export function listDueSubjects(db: Database, now: number, limit: number) {
  const { customerId, paymentId, state, tries } = webhookEvents;
  return db
    .select({ customerId, paymentId: sql<string | null>`min(${paymentId})` })
    .from(webhookEvents)
    .where(and(inArray(state, [...unsettled]), lt(tries, eventTriesMax), sql`${dueAt} <= ${now}`))
    .groupBy(sql`coalesce(${customerId}, ${paymentId})`)
    .orderBy(sql`min(${dueAt})`)
    .limit(limit);
}

/**
 * Takes all that waits about somebody, unless somebody else is at it: of many at once one takes, and takes what came meanwhile
 * when that is done. Taken is what is to be settled some time from now; should the Worker be killed in it, it is due again then.
 * `tries`: how many it counts, besides those that were counted when an event arrived.
 */
export function takeEvents(db: Database, subject: Subject, tries: 0 | 1, now: number) {
  const { state } = webhookEvents;
  const held = sql`select 1 from ${webhookEvents} as held
    where held.state = 'received' and held.settled_at > ${now} and ${isAbout(subject, sql`held`)}`;
  return db
    .update(webhookEvents)
    .set({ state: "received", tries: sql`${webhookEvents.tries} + ${tries}`, settledAt: now + handlingMs })
    .where(and(inArray(state, [...unsettled]), isAbout(subject, sql`${webhookEvents}`), sql`not exists (${held})`))
    .returning({ id: webhookEvents.id });
}

/** One of the events about somebody that are in somebody's hand now, if there is one. */
export function findHeldEvent(db: Database, { customerId }: { customerId: string }, now: number) {
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

/** Who pays by the payment that events are about. */
export function nameCustomer(db: Database, ids: string[], customerId: string) {
  return db.update(webhookEvents).set({ customerId }).where(isOneOf(ids));
}

export function settleEvents(db: Database, ids: string[], state: "handled" | "failed" | "ignored", now: number) {
  return db
    .update(webhookEvents)
    .set({ state, settledAt: now })
    .where(and(isOneOf(ids), inArray(webhookEvents.state, [...unsettled])));
}

function isOneOf(ids: string[]): SQL {
  return sql`${webhookEvents.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** For the sweep: the provider neither lists nor sends them any more. */
export function removeOldEvents(db: Database, now: number) {
  const states = ["received", "handled", "failed", "ignored"];
  return db
    .delete(webhookEvents)
    .where(and(inArray(webhookEvents.state, states), lt(webhookEvents.receivedAt, now - eventKeptMs)));
}

/** How far the provider's list of events was read: the id of an event. */
export { changeMark, findMark } from "#app/db/sweep-marks.server.ts";
