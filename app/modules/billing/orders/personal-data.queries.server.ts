import type { AccountId } from "#app/core/id.ts";
import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { type Owned, ownedRows } from "#app/db/owned-rows.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { withdrawals } from "#app/modules/billing/withdrawals/schema.ts";
import { orderLines, historyEvents, orders } from "./schema.ts";

// Export --------------------------------------------------------------------------------------------------------------

export function listOwnOrders(db: Database, accountId: AccountId) {
  return db.select().from(orders).where(eq(orders.accountId, accountId)).orderBy(orders.createdAt, orders.id);
}

export function listOwnLines(db: Database, accountId: AccountId) {
  return db
    .select(getTableColumns(orderLines))
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.id, orderLines.orderId), eq(orders.accountId, accountId)))
    .orderBy(orderLines.position);
}

/** `cause` is the name of the field in the data export. */
export function listOwnHistoryEvents(db: Database, accountId: AccountId) {
  const { orderId, what, occurrence: cause, amountMinor, happenedAt } = historyEvents;
  return db
    .select({ orderId, what, cause, amountMinor, happenedAt })
    .from(historyEvents)
    .innerJoin(orders, and(eq(orders.id, historyEvents.orderId), eq(orders.accountId, accountId)))
    .orderBy(historyEvents.happenedAt);
}

/** A declaration as its declarer gave it, and what came of it. */
function withdrawalColumns() {
  const { state, name, orderTyped, email, declaredAt, acknowledgedAt, closedAt } = withdrawals;
  const { declaredBy, contestReason, timeZone } = withdrawals;
  return {
    state,
    name,
    orderTyped,
    email,
    declaredAt,
    acknowledgedAt,
    closedAt,
    declaredBy,
    contestReason,
    timeZone,
  };
}

export function listOwnWithdrawals(db: Database, accountId: AccountId) {
  return db
    .select({ orderId: orders.id, ...withdrawalColumns() })
    .from(withdrawals)
    .innerJoin(orders, and(eq(orders.id, withdrawals.orderId), eq(orders.accountId, accountId)))
    .orderBy(withdrawals.declaredAt);
}

/** Withdrawals declared with the account's address that match no order. */
export function listStrayWithdrawals(db: Database, accountId: AccountId) {
  return db
    .select(withdrawalColumns())
    .from(withdrawals)
    .innerJoin(accounts, and(eq(accounts.emailCanonical, withdrawals.email), eq(accounts.id, accountId)))
    .where(isNull(withdrawals.orderId))
    .orderBy(withdrawals.declaredAt);
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

/**
 * Accounting data stays: numbers, amounts, dates, and Stripe's invoice id, by which later refunds are followed. The URLs
 * of Stripe's pages are removed, since these contain the billing details.
 */
export function eraseOrders(db: Database, accountId: AccountId, guard: SQL) {
  return statement(
    db,
    sql`
    update ${orders} set receipt_url = null, checkout_url = null, next_try_at = null, buyer_time_zone = null
    where account_id = ${accountId} and ${guard}`,
  );
}

/**
 * The fact, date and outcome of a withdrawal stay with the order; what the person entered is removed, and so are withdrawals that match
 * no order.
 */
export function eraseWithdrawals(db: Database, owner: { accountId: AccountId; addresses: Owned[] }, guard: SQL) {
  const theirs = ownedRows(withdrawals, { name: "email", time: "declared_at" }, owner.addresses);
  return [
    statement(
      db,
      sql`
      update ${withdrawals} set name = '', order_typed = '', email = '', contest_reason = null, time_zone = null
      where order_id in (select id from ${orders} where account_id = ${owner.accountId}) and ${guard}`,
    ),
    statement(db, sql`delete from ${withdrawals} where ${theirs} and order_id is null and ${guard}`),
  ] as const;
}
