import type { AccountId, CancellationId } from "#app/core/id.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { and, asc, count, desc, eq, gt, isNotNull, isNull, lte, lt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { isOfDeclarer, type Meaning, meantOrder } from "#app/modules/withdrawals/declared-order.queries.server.ts";
import { cancellations } from "./schema.ts";
import { type CancellationKind, cancellationRetentionMs, type ConfirmationQuota } from "./cancellations.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** A declaration as its browser shows it, without what came of it. */
export function findDeclaration(db: Database, id: CancellationId, since: number) {
  const { kind, reason, name, orderTyped, endsOn, address, declaredAt } = cancellations;
  return db
    .select({ kind, reason, name, orderTyped, endsOn, address, declaredAt })
    .from(cancellations)
    .where(and(eq(cancellations.id, id), gt(declaredAt, since)));
}

export function findCancellation(db: Database, id: CancellationId) {
  return db.select().from(cancellations).where(eq(cancellations.id, id));
}

/** An account's declarations that wait for a later period, newest first: their owner can take them back. */
export function listOpenCancellations(db: Database, accountId: AccountId) {
  const { id, endsOn, declaredAt } = cancellations;
  return db
    .select({ id, endsOn, declaredAt })
    .from(cancellations)
    .where(and(eq(cancellations.accountId, accountId), eq(cancellations.state, "open"), isNotNull(endsOn)))
    .orderBy(desc(declaredAt));
}

/** The number by which an account's owner names the contract. */
export function findNewestPaidOrder(db: Database, accountId: AccountId) {
  const { numberYear, numberInYear, createdAt } = orders;
  return db
    .select({ numberYear, numberInYear })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.paidAt)))
    .orderBy(desc(createdAt), desc(orders.id))
    .limit(1);
}

/** For the cron job: open declarations whose time has come. */
export function listDueCancellations(db: Database, now: number, limit: number) {
  return db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(isNotNull(cancellations.nextTryAt), lte(cancellations.nextTryAt, now)))
    .orderBy(asc(cancellations.nextTryAt))
    .limit(limit);
}

/** For the cron job: declarations whose confirmation waited for a quota. */
export function listUnconfirmed(db: Database, now: number, limit: number) {
  return db
    .select()
    .from(cancellations)
    .where(and(isNotNull(cancellations.confirmAt), lte(cancellations.confirmAt, now)))
    .orderBy(asc(cancellations.confirmAt))
    .limit(limit);
}

/** The conditions of `whatToDoAbout`. */
const isForOperator = sql`${cancellations.closedAt} is null and (${cancellations.state} = 'unmatched'
  or (${cancellations.kind} = 'extraordinary' and ${cancellations.state} <> 'undone')
  or (${cancellations.state} = 'open' and ${cancellations.failure} is not null))`;

/** For operators: what they haven't closed, oldest first. */
export function listCancellationsToDo(db: Database, after: Cursor | null, limit: number) {
  const { id, state, kind, reason, name, orderTyped, endsOn, address, declaredAt, failure, closedAt } = cancellations;
  const { numberYear, numberInYear } = orders;
  return db
    .select({
      id,
      state,
      kind,
      reason,
      name,
      orderTyped,
      endsOn,
      email: address,
      declaredAt,
      declaredBy: cancellations.declaredBy,
      failure,
      closedAt,
      numberYear,
      numberInYear,
    })
    .from(cancellations)
    .leftJoin(orders, eq(orders.id, cancellations.orderId))
    .where(and(isForOperator, isAfter([declaredAt, id], after)))
    .orderBy(declaredAt, id)
    .limit(limit);
}

export function countCancellationsToDo(db: Database) {
  return db.select({ count: count() }).from(cancellations).where(isForOperator);
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type NewCancellation = Meaning & {
  id: CancellationId;
  kind: CancellationKind;
  reason: string | null;
  name: string;
  orderTyped: string;
  endsOn: string | null;
  address: string;
  quotas: readonly ConfirmationQuota[];
  now: number;
};

/**
 * Stores a declaration, with the account and the order if the address or the signed-in account has paid one of that number. The work is the
 * same in every case.
 */
export function addCancellation(db: Database, cancellation: NewCancellation) {
  const { id, kind, reason, name, orderTyped, endsOn, address, email, accountId, quotas, now } = cancellation;
  return statement(
    db,
    sql`
    insert into ${cancellations} (id, account_id, order_id, state, kind, reason, name, order_typed, ends_on, address, email,
      declared_by, declared_at, confirm_at, confirm_quotas, next_try_at)
    select ${id}, found.account_id, found.id, iif(found.id is null, 'unmatched', 'open'), ${kind}, ${reason}, ${name},
      ${orderTyped}, ${endsOn}, ${address}, ${email}, iif(found.account_id = ${accountId}, 'owner', 'anyone'), ${now},
      ${now + minuteMs}, ${JSON.stringify(quotas)}, iif(found.id is null, null, ${now})
    from (select 1) left join (
      select meant.id, meant.account_id from ${meantOrder}
      where ${isOfDeclarer(cancellation)} and meant.paid_at is not null and owner.state <> 'erased'
    ) found`,
  );
}

/** The confirmation was queued. */
export function changeToConfirmed(db: Database, id: CancellationId, guard: SQL) {
  return statement(
    db,
    sql`update ${cancellations} set confirm_at = null, confirm_quotas = null where id = ${id} and ${guard}`,
  );
}

/** The confirmation still has to wait. */
export function postponeConfirmation(db: Database, id: CancellationId, confirmAt: number) {
  return db
    .update(cancellations)
    .set({ confirmAt })
    .where(and(eq(cancellations.id, id), isNotNull(cancellations.confirmAt)));
}

/** Leases an open declaration for one try, which is repeated after the wait if it never reports back. A second caller gets nothing. */
export function leaseCancellation(db: Database, id: CancellationId, now: number) {
  const { tries, nextTryAt } = cancellations;
  return db
    .update(cancellations)
    .set({
      tries: sql`${tries} + 1`,
      // As `retryWaitMs` counts.
      nextTryAt: sql`${now} + min(1 << min(${tries} + 1, 10), 720) * ${minuteMs}`,
    })
    .where(and(eq(cancellations.id, id), eq(cancellations.state, "open"), lte(nextTryAt, now)))
    .returning();
}

export function changeToDone(db: Database, id: CancellationId, now: number) {
  return db
    .update(cancellations)
    .set({ state: "done", nextTryAt: null, failure: null, changedAt: now })
    .where(and(eq(cancellations.id, id), eq(cancellations.state, "open")));
}

/** It isn't tried before then; `failure` says why the try that just ended had no effect. */
export function postponeCancellation(
  db: Database,
  id: CancellationId,
  { nextTryAt, failure }: { nextTryAt?: number; failure: string | null },
) {
  return db
    .update(cancellations)
    .set({ failure, ...(nextTryAt !== undefined && { nextTryAt, tries: 0 }) })
    .where(and(eq(cancellations.id, id), eq(cancellations.state, "open")));
}

/** The owner keeps the plan, so nothing follows from earlier declarations any more. */
export function changeToUndone(db: Database, accountId: AccountId, now: number) {
  return db
    .update(cancellations)
    .set({ state: "undone", nextTryAt: null, failure: null, changedAt: now })
    .where(and(eq(cancellations.accountId, accountId), sql`${cancellations.state} in ('open', 'done')`));
}

/** An operator has dealt with it. */
export function closeCancellation(db: Database, id: CancellationId, answer: string, now: number) {
  return db
    .update(cancellations)
    .set({ closedAt: now, answer, nextTryAt: null })
    .where(and(eq(cancellations.id, id), isNull(cancellations.closedAt)));
}

/** For the cron job. */
export function removeOldCancellations(db: Database, now: number) {
  return db.delete(cancellations).where(lt(cancellations.declaredAt, now - cancellationRetentionMs));
}
