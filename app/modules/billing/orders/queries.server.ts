import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { withdrawals } from "#app/modules/billing/withdrawals/schema.ts";
import { historyEvents, orders } from "./schema.ts";
import type { Order, MeantOrder } from "./rules.ts";
import { isOpenOrder, isDisputedOrder } from "./states.queries.server.ts";

const lostMinorOf = sql<number>`(select coalesce(sum(amount_minor), 0) from ${historyEvents} loss
  where loss.order_id = ${orders}.id and ${isStandingLoss("loss")})`;
const lostMinor = lostMinorOf.as("lost_minor");

// Reads ---------------------------------------------------------------------------------------------------------------

export const findOrder = prepared((db: Database, id: OrderId, accountId: AccountId) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.accountId, accountId))),
);

/** Any account's order, with the account's address: for operators only. */
export function findOrderForOperator(db: Database, meant: MeantOrder) {
  return db
    .select({ order: orders, email: accounts.email })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(
      "id" in meant
        ? eq(orders.id, meant.id)
        : and(eq(orders.numberYear, meant.year), eq(orders.numberInYear, meant.inYear)),
    );
}

/** An order of the account that was ever paid: whether the next one is the first. */
export const findPaidOrder = prepared((db: Database, accountId: AccountId) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.paidAt)))
    .limit(1),
);

export function findNewestOrder(db: Database, accountId: AccountId, since: number) {
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), gt(orders.createdAt, since)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(1);
}

/** The newest paid order that has a right of withdrawal, which also ends last, with its account's time zone; a row or none. */
export const findWithdrawable = prepared((db: Database, accountId: AccountId, paidSince: number) =>
  db
    .select({ ...getTableColumns(orders), timeZone: accounts.timeZone, lostMinor })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(
      and(
        eq(orders.accountId, accountId),
        ne(orders.kind, "renewal"),
        ne(orders.state, "refunded"),
        or(ne(orders.dispute, "lost"), sql`${orders.amountMinor} > ${orders.refundedMinor} + ${lostMinorOf}`),
        gt(orders.paidAt, paidSince),
      ),
    )
    .orderBy(desc(orders.paidAt), desc(orders.id))
    .limit(1),
);

/** The account's chosen and unpaid order, a purchase or a change: a UNIQUE index allows one. */
export const findOpenChoice = prepared((db: Database, accountId: AccountId) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), ne(orders.kind, "renewal"), isOpenOrder)),
);

/** The account's unpaid orders, oldest first: an unpaid renewal is collected before any other. */
export const listOpenOrders = prepared((db: Database, accountId: AccountId) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isOpenOrder))
    .orderBy(asc(orders.createdAt), asc(orders.id)),
);

/** The account's orders that the overview mentions: unpaid ones, oldest first, those with an open dispute, and payments that were sent back as not asked for. */
export const listUnpaidOrDisputedOrders = prepared((db: Database, accountId: AccountId) =>
  db
    .select()
    .from(orders)
    .where(
      and(eq(orders.accountId, accountId), or(isOpenOrder, isDisputedOrder, eq(orders.failure, "mismatch-refunded"))),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id)),
);

/** Orders that the account may have paid while Stripe didn't answer. */
export const findUnconfirmed = prepared((db: Database, accountId: AccountId) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.unconfirmedUntil)))
    .limit(1),
);

/** Unpaid purchases whose checkout may be open or have ended since, including those whose answer was lost. */
export function listAwaitedCheckouts(db: Database, accountId: AccountId, endedAfter: number) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.kind, "new-plan"),
        isNull(orders.paidAt),
        or(isOpenOrder, gt(orders.expiresAt, endedAfter)),
      ),
    );
}

/** For the sync: open orders, and those that Stripe's objects refer to by any id. */
export function listOrdersToReconcile(
  db: Database,
  accountId: AccountId,
  named: { orderIds: string[]; checkoutIds: string[]; invoiceIds: string[] },
) {
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        or(
          isOpenOrder,
          isOneOf(orders.id, named.orderIds),
          isOneOf(orders.checkoutId, named.checkoutIds),
          isOneOf(orders.invoiceId, named.invoiceIds),
        ),
      ),
    );
}

export function listNamedOrders(db: Database, ids: string[]) {
  const { id, numberYear, numberInYear } = orders;
  return db.select({ id, numberYear, numberInYear }).from(orders).where(isOneOf(orders.id, ids));
}

/** As JSON, since D1 allows a hundred parameters. */
function isOneOf(column: SQLiteColumn, ids: string[]) {
  return sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** Whether an event of an order's history, by its alias, is a lost dispute that wasn't won later, as `returnsOf` says. */
export function isStandingLoss(alias: string): SQL {
  const loss = sql.identifier(alias);
  return sql`${loss}.what = 'dispute-lost' and not exists (select 1 from ${historyEvents} won where won.order_id = ${loss}.order_id
    and won.what = 'dispute-won' and won.occurrence = ${loss}.occurrence and won.happened_at >= ${loss}.happened_at)`;
}

/** What a list says of an order besides its own columns: what banks took of it, and whether its owner's withdrawal is open. */
export const orderMarks = {
  lostMinor,
  isWithdrawn: sql<number>`exists (select 1 from ${withdrawals} where order_id = ${orders}.id
    and declared_by <> 'anyone' and state in ('declared', 'acknowledged'))`
    .mapWith(Boolean)
    .as("is_withdrawn"),
};

export function readOrder<Row extends typeof orders.$inferSelect>(row: Row): Row & Order {
  return { ...row, isUnconfirmed: row.unconfirmedUntil !== null };
}
