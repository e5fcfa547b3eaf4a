import type { AccountId, CancellationId } from "#app/core/id.ts";
import { and, desc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { minuteMs } from "#app/core/time/time.ts";
import type { MeantOrder } from "#app/modules/billing/orders/rules.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import {
  isMeant,
  isOfDeclarer,
  type Meaning,
  meantOrder,
} from "#app/modules/billing/withdrawals/declared-order.queries.server.ts";
import { cancellations } from "./schema.ts";
import { type CancellationKind } from "./cancellations.rules.ts";

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

/** When an account's owner last kept the plan. */
export function findNewestUndone(db: Database, accountId: AccountId) {
  const { changedAt, state } = cancellations;
  return db
    .select({ changedAt })
    .from(cancellations)
    .where(and(eq(cancellations.accountId, accountId), eq(state, "undone")))
    .orderBy(desc(changedAt))
    .limit(1);
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

/** The conditions of `whatToDoAbout`, as the index has them. Only an open one has a failure. */
export const isForOperator = sql`((${cancellations.closedAt} is null and (${cancellations.state} = 'unmatched'
  or ${cancellations.kind} = 'extraordinary')) or ${cancellations.failure} is not null) and ${cancellations.state} <> 'undone'`;

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type NewCancellation = Meaning & {
  id: CancellationId;
  kind: CancellationKind;
  reason: string | null;
  name: string;
  orderTyped: string;
  endsOn: string | null;
  address: string;
  now: number;
};

/**
 * Stores a declaration if `guard` holds, with the account and the order if the address or the signed-in account has paid one of that number. The work is the
 * same in every case.
 */
export function addCancellation(db: Database, cancellation: NewCancellation, guard: SQL) {
  const { id, kind, reason, name, orderTyped, endsOn, address, email, accountId, now } = cancellation;
  return statement(
    db,
    sql`
    insert into ${cancellations} (id, account_id, order_id, state, kind, reason, name, order_typed, ends_on, address, email,
      declared_by, declared_at, next_try_at)
    select ${id}, found.account_id, found.id, iif(found.id is null, 'unmatched', 'open'), ${kind}, ${reason}, ${name},
      ${orderTyped}, ${endsOn}, ${address}, ${email}, iif(found.account_id = ${accountId}, 'owner', 'anyone'), ${now},
      iif(found.id is null, null, ${now})
    from (select 1) left join (
      select meant.id, meant.account_id from ${meantOrder}
      where ${isOfDeclarer(cancellation)} and meant.paid_at is not null and owner.state <> 'erased'
    ) found where ${guard}`,
  );
}

/** What matched nothing is about this paid order, as an operator found: the plan is cancelled as if it had matched. */
export function matchCancellation(db: Database, id: CancellationId, meant: MeantOrder, now: number) {
  return statement(
    db,
    sql`
    update ${cancellations} set account_id = found.account_id, order_id = found.id, state = 'open', next_try_at = ${now}
    from (
      select meant.id, meant.account_id from ${meantOrder}
      where ${isMeant(meant)} and meant.paid_at is not null and owner.state <> 'erased'
    ) found
    where ${cancellations}.id = ${id} and ${cancellations}.state = 'unmatched' and ${cancellations}.closed_at is null`,
  );
}

/** Leases an open declaration for one try, which is repeated after the wait if it never reports back. A second caller gets nothing. */
export function leaseCancellation(db: Database, id: CancellationId, now: number) {
  const { tries, nextTryAt } = cancellations;
  return db
    .update(cancellations)
    .set({
      tries: sql`${tries} + 1`,
      // Minutes, to half a day.
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

/** An operator has answered it. What follows for the plan follows all the same. */
export function closeCancellation(db: Database, id: CancellationId, answer: string, now: number) {
  return db
    .update(cancellations)
    .set({ closedAt: now, answer })
    .where(and(eq(cancellations.id, id), isNull(cancellations.closedAt)));
}
