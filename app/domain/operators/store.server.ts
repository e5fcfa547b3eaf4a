import { and, count, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { accounts, entries, mails, operatorActs, orders, subscriptions, webhookEvents } from "#app/db/schema.ts";
import { listedMax, type OperatorOutcome, operatorActsKeptMs } from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function countAccounts(db: Database) {
  return db.select({ state: accounts.state, count: count() }).from(accounts).groupBy(accounts.state);
}

export function countEntries(db: Database) {
  const { gate, state } = entries;
  return db.select({ gate, state, count: count() }).from(entries).groupBy(gate, state);
}

/** What runs, by plan and price: an old price goes on beside a new one. */
export function countPlans(db: Database) {
  const { state, planId, interval, amountMinor, currency } = subscriptions;
  return db
    .select({ state, planId, interval, amountMinor, currency, count: count() })
    .from(subscriptions)
    .where(inArray(state, ["active", "past-due-grace", "past-due-locked", "unpaid", "paused"]))
    .groupBy(state, planId, interval, amountMinor, currency);
}

/** What was paid and given back of it, by month in UTC. */
export function sumRevenue(db: Database, since: { year: number; at: number }) {
  const month = sql<string>`strftime('%Y-%m', ${orders.paidAt} / 1000, 'unixepoch')`;
  const sum = (column: typeof orders.amountMinor | typeof orders.refundedMinor) => sql<number>`sum(${column})`;
  return db
    .select({
      month,
      currency: orders.currency,
      orders: count(),
      paidMinor: sum(orders.amountMinor),
      refundedMinor: sum(orders.refundedMinor),
    })
    .from(orders)
    .where(and(gte(orders.numberYear, since.year), gte(orders.paidAt, since.at)))
    .groupBy(month, orders.currency)
    .orderBy(month);
}

/** What asks for somebody's eyes: money that is disputed, mails and events that failed. */
export function listDisputed(db: Database) {
  const { id, accountId, numberYear, numberInYear, amountMinor, currency, dispute, paidAt } = orders;
  return db
    .select({ id, accountId, numberYear, numberInYear, amountMinor, currency, dispute, paidAt })
    .from(orders)
    .where(sql`${dispute} in ('needs-response', 'under-review')`)
    .orderBy(desc(paidAt))
    .limit(listedMax);
}

export function listFailedMails(db: Database) {
  const { id, template, tries, createdAt } = mails;
  return db
    .select({ id, template, tries, createdAt })
    .from(mails)
    .where(eq(mails.state, "failed"))
    .orderBy(desc(createdAt))
    .limit(listedMax);
}

export function listFailedEvents(db: Database) {
  const { id, type, tries, receivedAt } = webhookEvents;
  return db
    .select({ id, type, tries, receivedAt })
    .from(webhookEvents)
    .where(eq(webhookEvents.state, "failed"))
    .orderBy(desc(receivedAt))
    .limit(listedMax);
}

export function listOperatorActs(db: Database, limit: number) {
  return db.select().from(operatorActs).orderBy(desc(operatorActs.beganAt)).limit(limit);
}

/** Writers: prepared statements ----------------------------------------------------------------------------------------- */

type NewOperatorAct = {
  id: string;
  operator: string;
  call: string;
  subject: string | null;
  reason: string | null;
};

export function addOperatorAct(db: Database, act: NewOperatorAct, now: number) {
  return db.insert(operatorActs).values({ ...act, outcome: "began", beganAt: now });
}

export function changeOutcome(db: Database, id: string, outcome: OperatorOutcome, refusal: string | null) {
  return db.update(operatorActs).set({ outcome, refusal }).where(eq(operatorActs.id, id));
}

/** For the sweep. */
export function removeOldActs(db: Database, now: number) {
  return db.delete(operatorActs).where(lt(operatorActs.beganAt, now - operatorActsKeptMs));
}
