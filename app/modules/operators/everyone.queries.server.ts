/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { type SQL, sql, and, count, eq, inArray, isNotNull, max, min, or, desc, gte, lt, gt, like } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts, sessions } from "#app/modules/accounts/schema.ts";
import type { Spelled } from "./find.rules.ts";
import { match } from "./find.queries.server.ts";
import { emails } from "#app/modules/email/schema.ts";
import { eventTriesMax } from "#app/modules/billing/sync/inbox.rules.ts";
import { webhookEvents } from "#app/modules/billing/sync/inbox.schema.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { documents } from "#app/modules/billing/documents/schema.ts";
import { historyEvents, orders } from "#app/modules/billing/orders/schema.ts";
import { keepingStates } from "#app/modules/billing/subscriptions/rules.ts";
import { customers, subscriptions, unclaimedCustomers } from "#app/modules/billing/subscriptions/schema.ts";
import { operatorLog } from "./schema.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { endListedMs } from "./plans-to-review.rules.ts";
import { mismatchListedMs } from "./mismatches.rules.ts";
import { type Month, operatorLogRetentionMs } from "./rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import {
  isMismatchedOrder,
  isOwedRefund,
  isDisputedOrder,
  isPaidOrder,
} from "#app/modules/billing/orders/states.queries.server.ts";

export function listByName(db: Database, spelled: Spelled, limit: number) {
  const named = sql`select id from accounts indexed by accounts_named where name is not null and ${holds(sql`name`, spelled)} limit ${limit}`;
  return db
    .select(match)
    .from(accounts)
    .where(sql`${accounts.id} in (${named})`);
}

function holds(column: SQL, { typed, capitals }: Spelled): SQL {
  return sql`(instr(lower(${column}), ${typed}) > 0 or instr(lower(${column}), ${capitals}) > 0)`;
}

/**
 * Counts the emails that weren't sent, by state and with the oldest's time: all of them, and those that the service's quota holds up, with
 * the newest's time.
 */
export function countUnsentEmails(db: Database) {
  const { state, createdAt, refusal, nextTryAt } = emails;
  const ofQuota = sql<number | null>`case when ${refusal} = 'quota-exhausted' then ${createdAt} end`;
  return (
    db
      .select({
        state,
        count: count(),
        oldestAt: min(createdAt),
        ofQuota: count(ofQuota),
        newestOfQuotaAt: max(ofQuota).mapWith(Number),
      })
      .from(emails)
      // What waits for a quota of ours has no time for a try yet.
      .where(and(inArray(state, ["queued", "failed"]), or(eq(state, "failed"), isNotNull(nextTryAt))))
      .groupBy(state)
  );
}

/** Plans that Stripe paused after the first failed attempt, and customers of its dashboard that belong to no account. */
export function countByPlanTrouble(db: Database) {
  const paused = sql<number>`(select count(*) from subscriptions where state = 'unpaid' and pause_cause = 'first-payment-failed')`;
  const unclaimed = sql<number>`(select count(*) from unclaimed_customers)`;
  return db.all<{ pausedAtFirst: number; unclaimed: number }>(
    sql`select ${paused} as pausedAtFirst, ${unclaimed} as unclaimed`,
  );
}

/** Counts Stripe's events that weren't handled, those that will be tried again and those that won't, with the oldest's time. */
export function countUnhandledEvents(db: Database) {
  const { state, tries, receivedAt } = webhookEvents;
  const isGivenUp = sql<number>`${tries} >= ${eventTriesMax}`;
  return db
    .select({ isGivenUp, count: count(), oldestAt: min(receivedAt) })
    .from(webhookEvents)
    .where(inArray(state, ["received", "failed"]))
    .groupBy(isGivenUp);
}

export function countAccounts(db: Database) {
  return db.select({ state: accounts.state, count: count() }).from(accounts).groupBy(accounts.state);
}

/** Running subscriptions by plan and price, trials apart: subscribers keep an old price when a new one is set. */
export function countPlans(db: Database) {
  const { state, planId, interval, amountMinor, currency } = subscriptions;
  const isTrial = sql`(${subscriptions.trialEndsAt} is not null)`;
  return db
    .select({
      state,
      planId,
      interval,
      amountMinor,
      currency,
      isTrial: isTrial.mapWith(Boolean),
      count: count(),
    })
    .from(subscriptions)
    .where(inArray(state, keepingStates))
    .groupBy(state, planId, interval, amountMinor, currency, isTrial);
}

/**
 * By month and currency, what was sold and what went back in it, whenever that was sold: `month` is the position in `months`, which are
 * consecutive.
 */
export function sumRevenue(db: Database, months: readonly [Month, ...Month[]]) {
  const { kind, reason, currency, totalMinor, taxMinor, moneyMinor, issuedAt } = documents;
  const starts = JSON.stringify(months.map(({ startsAt }) => startsAt));
  const month = sql<number>`(select count(*) - 1 from json_each(${starts}) where value <= ${issuedAt})`.as("month");
  const sum = (which: SQL) => sql<number>`sum(iif(${which}, ${moneyMinor}, 0))`;
  const isSale = sql`${kind} = 'invoice'`;
  return db
    .select({
      month,
      currency,
      orders: sql<number>`sum(${kind} = 'invoice' and ${totalMinor} <> 0)`,
      paidMinor: sum(isSale),
      refundedMinor: sum(sql`${kind} = 'credit-note' and ${reason} not in ('dispute-lost', 'dispute-won')`),
      disputedMinor: sum(sql`${kind} = 'credit-note' and ${reason} in ('dispute-lost', 'dispute-won')`),
      taxMinor: sql<number>`sum(iif(${isSale}, ${taxMinor}, -${taxMinor}))`,
    })
    .from(documents)
    .where(gte(issuedAt, months[0].startsAt))
    .groupBy(sql`month`, currency)
    .orderBy(sql`month`, currency);
}

/** Listed as mismatches.rules.ts says. */
const isMismatched = (now: number) => sql`${isMismatchedOrder}
  and (${isOwedRefund} or ${orders.paidAt} >= ${now - mismatchListedMs})`;

/** Payments that weren't what was asked for, oldest first. */
export function listMismatched(db: Database, now: number, after: Cursor | null, limit: number) {
  const { id, accountId, numberYear, numberInYear, state, failure, dispute, planId, interval, paidAt } = orders;
  const { amountMinor, currency, refundedMinor } = orders;
  const ofMismatch = sql`from ${historyEvents} where ${historyEvents.orderId} = ${id} and ${historyEvents.what} = 'mismatch'`;
  return db
    .select({
      id,
      accountId,
      email: accounts.email,
      numberYear,
      numberInYear,
      planId,
      interval,
      state,
      failure,
      dispute,
      askedMinor: sql<number | null>`(select ${historyEvents.amountMinor} ${ofMismatch})`,
      askedCurrency: sql<string | null>`(select ${historyEvents.occurrence} ${ofMismatch})`,
      amountMinor,
      refundedMinor,
      currency,
      paidAt,
    })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(isMismatched(now), isAfter([paidAt, id], after)))
    .orderBy(paidAt, id)
    .limit(limit);
}

/** `owed`: those whose money Stripe didn't send back. */
export function countMismatched(db: Database, now: number) {
  return db
    .select({ count: count(), owed: sql<number>`coalesce(sum(${isOwedRefund}), 0)` })
    .from(orders)
    .where(isMismatched(now));
}

/** What needs an operator: disputed payments, failed emails and events. */

/** Disputes that need a response first, by due date. */
export function listDisputed(db: Database, after: Cursor | null, limit: number) {
  const { id, accountId, numberYear, numberInYear, amountMinor, currency, dispute, disputeDueAt, paidAt } = orders;
  const keys = [sql`(${disputeDueAt} is null)`, sql`coalesce(${disputeDueAt}, ${paidAt})`, id];
  return db
    .select({
      id,
      accountId,
      email: accounts.email,
      numberYear,
      numberInYear,
      amountMinor,
      currency,
      dispute,
      disputeDueAt,
      paidAt,
    })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(isDisputedOrder, isAfter(keys, after)))
    .orderBy(...keys)
    .limit(limit);
}

export function countDisputed(db: Database) {
  return db.select({ count: count() }).from(orders).where(isDisputedOrder);
}

export function listFailedEmails(db: Database, after: Cursor | null, limit: number) {
  const { id, template, sealed, tries, createdAt, refusal } = emails;
  return db
    .select({ id, template, sealed, tries, createdAt, refusal })
    .from(emails)
    .where(and(eq(emails.state, "failed"), isAfter([createdAt, id], after, "desc")))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

export function countFailedEmails(db: Database) {
  return db.select({ count: count() }).from(emails).where(eq(emails.state, "failed"));
}

/** With the customer that each is about, and its account if it has one. */
export function listFailedEvents(db: Database, after: Cursor | null, limit: number) {
  const { id, type, tries, receivedAt, customerId, paymentId, failure } = webhookEvents;
  return db
    .select({ id, type, tries, receivedAt, customerId, paymentId, email: accounts.email, failure })
    .from(webhookEvents)
    .leftJoin(customers, eq(customers.providerId, customerId))
    .leftJoin(accounts, eq(accounts.id, customers.accountId))
    .where(and(eq(webhookEvents.state, "failed"), isAfter([receivedAt, id], after, "desc")))
    .orderBy(desc(receivedAt), desc(id))
    .limit(limit);
}

export function countFailedEvents(db: Database) {
  return db.select({ count: count() }).from(webhookEvents).where(eq(webhookEvents.state, "failed"));
}

/** Worded like the partial index `subscriptions_to_review`. */
const isToReview = (
  now: number,
) => sql`(${subscriptions.pauseCause} is not null or ${subscriptions.endCause} is not null)
  and (${subscriptions.endedAt} is null or ${subscriptions.endedAt} > ${now - endListedMs} or ${subscriptions.refundOwedMinor} > 0)`;

/** Sorts what hasn't ended before all that has, and within the first page of `isAfter`. */
const laterThanAll = 10 ** 14;

/** Plans that were paused or ended otherwise than by their owner; those that still wait first, then the newest. */
export function listPlansToReview(db: Database, now: number, after: Cursor | null, limit: number) {
  const { id, accountId, planId, interval, amountMinor, currency, state } = subscriptions;
  const { pauseCause, endCause, endedAt, startedAt, refundOwedMinor } = subscriptions;
  const keys = [sql`coalesce(${endedAt}, ${laterThanAll})`, id];
  return db
    .select({
      id,
      accountId,
      email: accounts.email,
      planId,
      interval,
      amountMinor,
      currency,
      state,
      pauseCause,
      endCause,
      refundOwedMinor,
      startedAt,
      endedAt,
    })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(isToReview(now), isAfter(keys, after, "desc")))
    .orderBy(...keys.map((key) => desc(key)))
    .limit(limit);
}

export function countPlansToReview(db: Database, now: number) {
  return db.select({ count: count() }).from(subscriptions).where(isToReview(now));
}

/** Stripe's customers with a plan that belong to no account, oldest first; `email` is of the account that has their address. */
export function listUnclaimed(db: Database, after: Cursor | null, limit: number) {
  const { providerId, planId, reason, accountId, foundAt } = unclaimedCustomers;
  return db
    .select({ providerId, planId, reason, accountId, email: accounts.email, foundAt })
    .from(unclaimedCustomers)
    .leftJoin(accounts, eq(accounts.id, accountId))
    .where(isAfter([foundAt, providerId], after))
    .orderBy(foundAt, providerId)
    .limit(limit);
}

export function countUnclaimed(db: Database) {
  return db.select({ count: count() }).from(unclaimedCustomers);
}

export function listOperatorLog(db: Database, after: Cursor | null, limit: number) {
  const { beganAt, id } = operatorLog;
  return db
    .select()
    .from(operatorLog)
    .where(isAfter([beganAt, id], after, "desc"))
    .orderBy(desc(beganAt), desc(id))
    .limit(limit);
}

export function countOperatorLog(db: Database) {
  return db.select({ count: count() }).from(operatorLog);
}

/** For the cron job. */
export function removeOldOperatorLog(db: Database, now: number) {
  return db.delete(operatorLog).where(lt(operatorLog.beganAt, now - operatorLogRetentionMs));
}

/** Demo customers have no mailbox and no payment at Stripe (scripts/demo-seed). */
const isDemo = like(accounts.emailCanonical, "%.example");

/** Finds an email that the service took. It never got the demo's, nor any to an address without a mailbox. */
export function findSentEmail(db: Database) {
  return db.select({ id: emails.id }).from(emails).where(isNotNull(emails.serviceId)).limit(1);
}

export function findRefusedEmail(db: Database) {
  return db
    .select({ id: emails.id })
    .from(emails)
    .where(and(inArray(emails.state, ["queued", "failed"]), isNotNull(emails.refusal)))
    .limit(1);
}

/** A session of an account that isn't the demo's, used within a day. */
export function findSignedUp(db: Database, now: number) {
  return db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(sql`${sessions.state} = 'active'`, gt(sessions.lastUsedAt, now - dayMs), sql`not ${isDemo}`))
    .limit(1);
}

/** The newest paid order at this Stripe account. */
export function findOrderAtStripe(db: Database) {
  const { numberYear, numberInYear, createdAt, invoiceId } = orders;
  return db
    .select({ numberYear, numberInYear })
    .from(orders)
    .where(and(isPaidOrder, sql`${invoiceId} not glob 'in_demo_*'`))
    .orderBy(desc(createdAt))
    .limit(1);
}
