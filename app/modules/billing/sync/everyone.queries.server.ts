/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import type { PaymentIntentId } from "#app/core/stripe/ids.ts";
import { and, count, eq, gte, isNotNull, isNull, lt, or, sql, inArray, asc, gt, type SQL } from "drizzle-orm";
import type { Cursor } from "#app/core/cursor.ts";
import type { Database } from "#app/db/database.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { webhookEvents } from "./inbox.schema.ts";
import { fraudWarningLifeMs, unknownFraudType } from "./fraud-warnings.rules.ts";
import { fraudWarnings } from "./fraud-warnings.schema.ts";
import { isListed } from "./fraud-warnings.queries.server.ts";
import {
  eventRetentionMs,
  eventStates,
  eventTriesMax,
  eventWaitAtMostMs,
  eventWaitMs,
  givenUpWaitMs,
  gapCursor,
} from "./inbox.rules.ts";
import { unfinished } from "./inbox.queries.server.ts";
import type { AccountId } from "#app/core/id.ts";
import { type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { addressChanges } from "#app/modules/accounts/addresses.schema.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import { customers, keepsPlan, nextHappeningAt, subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { keepingStates } from "#app/modules/billing/subscriptions/rules.ts";
import { openStates } from "#app/modules/billing/orders/states.rules.ts";
import {
  addressWaitsMs,
  overdueAtMostMs,
  overdueMs,
  quietAtMostMs,
  quietMs,
  sampleRestMs,
  unpaidMs,
} from "./polling.rules.ts";

/** The words of the partial index `webhook_events_fraud_warnings`. */
const isAboutWarning = sql`${webhookEvents.type} = 'radar.early_fraud_warning.created'`;

/** Events about a warning that hasn't been read from Stripe, received since `since`: oldest first, and last those that Stripe refused. */
export function listUnreadWarnings(db: Database, since: number, limit: number) {
  const { id, paymentId, receivedAt } = webhookEvents;
  const { fraudType } = fraudWarnings;
  const isUnread = or(isNull(fraudWarnings.eventId), eq(fraudType, unknownFraudType));
  return db
    .select({ eventId: id, paymentId: sql<PaymentIntentId>`${paymentId}`, receivedAt })
    .from(webhookEvents)
    .leftJoin(fraudWarnings, eq(fraudWarnings.eventId, id))
    .where(and(isAboutWarning, gte(receivedAt, since), isNotNull(paymentId), isUnread))
    .orderBy(isNotNull(fraudType), receivedAt)
    .limit(limit);
}

/** Warnings that an operator can act on, oldest first. */
export function listFraudWarnings(db: Database, now: number, after: Cursor | null, limit: number) {
  const { eventId, paymentId, fraudType, warnedAt } = fraudWarnings;
  const { id, accountId, numberYear, numberInYear, state, dispute, amountMinor, currency } = orders;
  return db
    .select({
      eventId,
      orderId: id,
      accountId,
      email: accounts.email,
      numberYear,
      numberInYear,
      state,
      dispute,
      amountMinor,
      currency,
      paymentId,
      fraudType,
      warnedAt,
    })
    .from(fraudWarnings)
    .leftJoin(orders, eq(orders.invoiceId, fraudWarnings.invoiceId))
    .leftJoin(accounts, eq(accounts.id, accountId))
    .where(and(isListed(now), isAfter([warnedAt, eventId], after)))
    .orderBy(warnedAt, eventId)
    .limit(limit);
}

export function countFraudWarnings(db: Database, now: number) {
  return db
    .select({ count: count() })
    .from(fraudWarnings)
    .leftJoin(orders, eq(orders.invoiceId, fraudWarnings.invoiceId))
    .where(isListed(now));
}

/** Those that aren't listed any more. Stripe's event about one is removed by then as well, so it isn't read again. */
export function removeOldFraudWarnings(db: Database, now: number) {
  return db.delete(fraudWarnings).where(lt(fraudWarnings.warnedAt, now - fraudWarningLifeMs));
}

/** When an unhandled event is due again: exponential backoff. */
const dueAt = sql`coalesce(${webhookEvents.settledAt}, ${webhookEvents.receivedAt}) + case when ${webhookEvents.tries} = 0 then 0
  when ${webhookEvents.tries} >= ${eventTriesMax} then ${givenUpWaitMs}
  else min(${eventWaitAtMostMs}, ${eventWaitMs} * (1 << (${webhookEvents.tries} - 1))) end`;

/** Subjects with events due, longest waiting first; one row per subject, however many events it has. */
export function listDueSubjects(db: Database, now: number, limit: number) {
  const { customerId, paymentId, state } = webhookEvents;
  return db
    .select({ customerId, paymentId: sql<PaymentIntentId | null>`min(${paymentId})` })
    .from(webhookEvents)
    .where(and(inArray(state, [...unfinished]), sql`${dueAt} <= ${now}`))
    .groupBy(sql`coalesce(${customerId}, ${paymentId})`)
    .orderBy(sql`min(${dueAt})`)
    .limit(limit);
}

/** For the cron job: removes events that Stripe neither lists nor sends any more. */
export function removeOldEvents(db: Database, now: number) {
  return db
    .delete(webhookEvents)
    .where(and(inArray(webhookEvents.state, eventStates), lt(webhookEvents.receivedAt, now - eventRetentionMs)));
}

/** The states of a plan that isn't paid for, or is paused. */
const notPaidFor = keepingStates.filter((state) => state !== "active");

/** What waits a quarter of the time since something began, at least and at most this long. */
function quarterOf(since: SQL, from: SQL | SQLiteColumn, [atLeast, atMost]: readonly [number, number]): SQL {
  return sql`min(${atMost}, max(${atLeast}, (${since} - ${from}) / 4))`;
}

/** Open orders that didn't change for a while. */
function openOrders(db: Database, now: number) {
  const checkedAt = sql`max(${orders.updatedAt}, ${customers.askedAt})`;
  const dueAt = sql<number>`${checkedAt} + ${quarterOf(checkedAt, orders.createdAt, [quietMs, quietAtMostMs])}`;
  const mayBeOpen = or(
    inArray(
      orders.state,
      openStates.filter((state) => state !== "draft"),
    ),
    // Stripe knows nothing of a purchase before it is pending; a change may have been charged although its answer was lost.
    and(eq(orders.state, "draft"), eq(orders.kind, "change")),
  );
  return db
    .select({ accountId: customers.accountId, dueAt: sql<number>`min(${dueAt})`.as("due_at") })
    .from(orders)
    .innerJoin(customers, eq(customers.accountId, orders.accountId))
    .where(and(mayBeOpen, sql`${dueAt} <= ${now}`))
    .groupBy(customers.accountId);
}

function unpaidPlans(db: Database, now: number) {
  const dueAt = sql<number>`${customers.askedAt} + ${unpaidMs}`;
  return db
    .select({ accountId: customers.accountId, dueAt: dueAt.as("due_at") })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.accountId, subscriptions.accountId))
    .where(and(inArray(subscriptions.state, notPaidFor), sql`${dueAt} <= ${now}`));
}

/** Plans that should have been renewed, changed or ended by now. */
function overduePlans(db: Database, now: number) {
  const wait = quarterOf(sql`${customers.askedAt}`, nextHappeningAt, [overdueMs, overdueAtMostMs]);
  const dueAt = sql<number>`max(${nextHappeningAt} + ${overdueMs}, ${customers.askedAt} + ${wait})`;
  const isOver = sql`${keepsPlan(subscriptions.state)} and ${nextHappeningAt} <= ${now - overdueMs}`;
  return db
    .select({ accountId: customers.accountId, dueAt: dueAt.as("due_at") })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.accountId, subscriptions.accountId))
    .where(and(isOver, sql`${dueAt} <= ${now}`));
}

/** Customers whose address was changed or restored, which Stripe may not know. */
function changedAddresses(db: Database, now: number) {
  const changedAt = sql`coalesce(${addressChanges.revertedAt}, ${addressChanges.changedAt})`;
  const cases = addressWaitsMs.map(
    (wait) => sql`when ${customers.askedAt} < ${changedAt} + ${wait} then ${changedAt} + ${wait}`,
  );
  const dueAt = sql<number>`case ${sql.join(cases, sql` `)} end`;
  return db
    .select({ accountId: customers.accountId, dueAt: sql<number>`min(${dueAt})`.as("due_at") })
    .from(addressChanges)
    .innerJoin(customers, eq(customers.accountId, addressChanges.accountId))
    .where(
      and(gt(addressChanges.changedAt, now - revertLifeMs - Math.max(...addressWaitsMs) * 2), sql`${dueAt} <= ${now}`),
    )
    .groupBy(customers.accountId);
}

/** Customers of whom events may be missing that Stripe doesn't list any more: those that weren't synced since that gap was found. */
function afterGap(db: Database) {
  const gapAt = sql<number>`coalesce((select cast(${jobCursors.cursor} as integer) from ${jobCursors} where ${jobCursors.name} = ${gapCursor}), 0)`;
  return db
    .select({ accountId: customers.accountId, dueAt: gapAt.as("due_at") })
    .from(customers)
    .where(lt(customers.askedAt, gapAt));
}

/** For the cron job: accounts whose rows may be outdated, a list for each reason, those that are due longest first. */
export function listDueCustomers(db: Database, now: number, limit: number) {
  // By account as well, so that the order of ties is always the same.
  const dueAt = [sql`due_at`, asc(customers.accountId)] as const;
  return [
    openOrders(db, now)
      .orderBy(...dueAt)
      .limit(limit),
    unpaidPlans(db, now)
      .orderBy(...dueAt)
      .limit(limit),
    overduePlans(db, now)
      .orderBy(...dueAt)
      .limit(limit),
    changedAddresses(db, now)
      .orderBy(...dueAt)
      .limit(limit),
    afterGap(db).orderBy(asc(customers.askedAt), asc(customers.accountId)).limit(limit),
  ] as const;
}

/** For operators: how many customers are due, and since when the oldest is. One that is due for two reasons counts twice. */
export function countDueCustomers(db: Database, now: number) {
  const due = unionAll(
    openOrders(db, now),
    unpaidPlans(db, now),
    overduePlans(db, now),
    changedAddresses(db, now),
    afterGap(db),
  ).as("due");
  return db.select({ count: count(), oldestAt: sql<number | null>`min(${due.dueAt})` }).from(due);
}

/** The next account after a random id, unless it was synced lately. */
export function findSample(db: Database, from: AccountId, now: number) {
  const next = db
    .select({ accountId: customers.accountId, askedAt: customers.askedAt })
    .from(customers)
    .where(gte(customers.accountId, from))
    .orderBy(asc(customers.accountId))
    .limit(1)
    .as("next");
  return db
    .select({ accountId: next.accountId })
    .from(next)
    .where(sql`${next.askedAt} <= ${now - sampleRestMs}`);
}
