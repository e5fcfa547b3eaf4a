/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, count, eq, inArray, lt, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { emails } from "#app/modules/email/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { withdrawals } from "./schema.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { withdrawalRetentionMs, type WithdrawalState, withdrawalStates } from "./withdrawals.rules.ts";

/**
 * For operators: withdrawals in these states, oldest first. Those with an order come first, because strangers can declare any number
 * without one.
 */
export function listWithdrawals(db: Database, states: readonly WithdrawalState[], after: Cursor | null, limit: number) {
  const { id, state, name, orderTyped, email, declaredAt, acknowledgedAt, closedAt, orderId } = withdrawals;
  const { declaredBy, contestReason } = withdrawals;
  const { accountId, kind, numberYear, numberInYear, amountMinor, refundedMinor, currency, paidAt } = orders;
  const keys = [sql`(${orderId} is null)`, declaredAt, id];
  return db
    .select({
      id,
      state,
      name,
      orderTyped,
      email,
      declaredAt,
      acknowledgedAt,
      closedAt,
      orderId,
      declaredBy,
      contestReason,
      accountId,
      kind,
      numberYear,
      numberInYear,
      amountMinor,
      refundedMinor,
      currency,
      paidAt,
    })
    .from(withdrawals)
    .leftJoin(orders, eq(orders.id, orderId))
    .where(and(inArray(state, [...states]), isAfter(keys, after)))
    .orderBy(...keys)
    .limit(limit);
}

export function countWithdrawals(db: Database, states: readonly WithdrawalState[]) {
  return db
    .select({ count: count() })
    .from(withdrawals)
    .where(inArray(withdrawals.state, [...states]));
}

/** Acknowledges withdrawals whose confirmation email was sent, by any try. */
export function acknowledgeWithdrawals(db: Database) {
  return statement(
    db,
    sql`
    update ${withdrawals} set state = 'acknowledged',
      acknowledged_at = (select sent_at from ${emails} where id = ${emailOfWithdrawal})
    where state = 'declared' and exists (select 1 from ${emails} where id = ${emailOfWithdrawal} and state = 'sent')`,
  );
}

const emailOfWithdrawal = sql`'mail_' || ${withdrawals.id}`;

/** For the cron job; listing all states lets SQLite use the index. */
export function removeOldWithdrawals(db: Database, now: number) {
  return db
    .delete(withdrawals)
    .where(and(inArray(withdrawals.state, withdrawalStates), lt(withdrawals.declaredAt, now - withdrawalRetentionMs)));
}
