import { occurrences } from "#app/modules/billing/orders/history-events.rules.ts";
import type { AccountId, OrderId, WithdrawalId } from "#app/core/id.ts";
import { and, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { historyEvents, orders } from "#app/modules/billing/orders/schema.ts";
import { withdrawals } from "./schema.ts";
import type { Cursor } from "#app/core/cursor.ts";
import { isOfDeclarer, type Meaning, meantOrder } from "./declared-order.queries.server.ts";
import { withdrawalsBefore } from "./withdrawals.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** Withdrawals from an account's orders, newest first. */
export const listWithdrawalsOf = prepared((db: Database, accountId: AccountId) => {
  const { declaredAt, state, declaredBy, contestReason } = withdrawals;
  return db
    .select({ orderId: orders.id, declaredAt, state, declaredBy, contestReason })
    .from(withdrawals)
    .innerJoin(orders, and(eq(orders.id, withdrawals.orderId), eq(orders.accountId, accountId)))
    .orderBy(desc(withdrawals.declaredAt));
});

/** For the sync: valid withdrawals from an account's orders, by Stripe invoice. */
export const listDeclared = prepared((db: Database, accountId: AccountId) => {
  const { state, declaredAt, declaredBy, timeZone } = withdrawals;
  return db
    .select({
      id: orders.invoiceId,
      orderId: orders.id,
      state,
      declaredAt,
      declaredBy,
      timeZone,
      paidAt: orders.paidAt,
    })
    .from(withdrawals)
    .innerJoin(orders, and(eq(orders.id, withdrawals.orderId), eq(orders.accountId, accountId)))
    .where(ne(withdrawals.state, "contested"));
});

/** A withdrawal with its order and the order's owner, if any. */
export function findWithdrawal(db: Database, id: WithdrawalId) {
  return db
    .select({ withdrawal: withdrawals, order: orders, account: accounts })
    .from(withdrawals)
    .leftJoin(orders, eq(orders.id, withdrawals.orderId))
    .leftJoin(accounts, eq(accounts.id, orders.accountId))
    .where(eq(withdrawals.id, id));
}

/** A withdrawal's cursor in that list. */
export function withdrawalCursor(row: { id: WithdrawalId; orderId: OrderId | null; declaredAt: number }): Cursor {
  return [row.orderId === null ? 1 : 0, row.declaredAt, row.id];
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type NewWithdrawal = Meaning & { id: WithdrawalId; name: string; orderTyped: string; now: number };

/**
 * Stores a withdrawal if `guard` holds, with its order if the address or the signed-in account has one of that name. The work is the same
 * in every case.
 */
export function addWithdrawal(db: Database, withdrawal: NewWithdrawal, guard: SQL) {
  const { id, name, orderTyped, email, meant, accountId, now } = withdrawal;
  const isById = meant !== null && "id" in meant ? 1 : 0;
  return statement(
    db,
    sql`
    insert into ${withdrawals} (id, order_id, state, name, order_typed, email, declared_at, time_zone, declared_by)
    select ${id}, found.id, 'declared', ${name}, ${orderTyped}, ${email}, ${now}, found.time_zone,
      case when found.id is null then 'anyone' when found.account_id = ${accountId} then 'owner'
        when ${isById} then 'mailbox' else 'anyone' end
    from (select 1) left join (
      select meant.id, meant.account_id, owner.time_zone from ${meantOrder} where ${isOfDeclarer(withdrawal)}
    ) found where ${guard}`,
  );
}

/** Whether the previous statement stored a withdrawal by the order's owner, as the guard of their activity-log row. */
export function isNewOfOwner(id: WithdrawalId): SQL {
  return sql`changes() > 0 and exists (select 1 from ${withdrawals} where id = ${id} and declared_by = 'owner')`;
}

/** Two events in the history of the order, if its owner declared it: the declaration and the email. Other people's declarations add none. */
export function addWithdrawalEvents(db: Database, { id, now }: Pick<NewWithdrawal, "id" | "now">) {
  return [
    { what: "withdrawal", occurrence: id },
    { what: "emailed", occurrence: occurrences.ofEmail.write({ about: "withdrawal", id }) },
  ].map(({ what, occurrence }) =>
    statement(
      db,
      sql`
      insert into ${historyEvents} (order_id, what, occurrence, happened_at)
      select order_id, ${what}, ${occurrence}, ${now} from ${withdrawals}
      where id = ${id} and order_id is not null and declared_by <> 'anyone'
      on conflict do nothing`,
    ),
  );
}

export function changeToContested(db: Database, id: WithdrawalId, reason: string, now: number) {
  return db
    .update(withdrawals)
    .set({ state: "contested", closedAt: now, contestReason: reason })
    .where(and(eq(withdrawals.id, id), inArray(withdrawals.state, withdrawalsBefore("contested"))));
}

/** Settles the withdrawals of an order that was refunded. */
export function closeWithdrawals(db: Database, orderId: OrderId, now: number) {
  return db
    .update(withdrawals)
    .set({ state: "refunded", closedAt: now })
    .where(and(eq(withdrawals.orderId, orderId), inArray(withdrawals.state, withdrawalsBefore("refunded"))));
}

/** Reopens the withdrawals of an order whose whole refund the bank returned: operators have to look at them again. */
export function reopenWithdrawals(db: Database, orderId: OrderId) {
  return db
    .update(withdrawals)
    .set({
      state: sql`case when ${withdrawals.acknowledgedAt} is null then 'declared' else 'acknowledged' end`,
      closedAt: null,
    })
    .where(and(eq(withdrawals.orderId, orderId), eq(withdrawals.state, "refunded")));
}
