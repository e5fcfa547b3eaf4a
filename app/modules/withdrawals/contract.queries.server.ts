import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { orderLines, orderMoments, orders, withdrawals } from "#app/db/schema.ts";
import type { ContractOrder } from "./contract.rules.ts";
import { type Order, orderNumber } from "#app/modules/orders/rules.ts";
import { withdrawalEndsAt } from "./withdrawals.rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** The paid order `orderId` with all from the purchase or renewal before it to the one after it, oldest first, each with its lines. */
export function listContract(db: Database, orderId: string) {
  const { id, kind, state, dispute, createdAt, paidAt } = orders;
  const { numberYear, numberInYear, amountMinor, refundedMinor, friendDiscountMinor, creditMinor, invoiceId } = orders;
  return db
    .select({
      ...{
        id,
        kind,
        state,
        dispute,
        paidAt,
        numberYear,
        numberInYear,
        amountMinor,
        refundedMinor,
        friendDiscountMinor,
        creditMinor,
        invoiceId,
      },
      lines: sql<string>`(
        select json_group_array(json_object('amountMinor', amount_minor, 'periodStartsAt', period_starts_at,
          'periodEndsAt', period_ends_at)) from ${orderLines} where order_id = ${orders}.id)`.as("lines"),
      lostMinor: sql<number>`(
        select coalesce(sum(amount_minor), 0) from ${orderMoments}
        where order_id = ${orders}.id and what = 'dispute-lost')`.as("lost_minor"),
    })
    .from(orders)
    .where(isAround(orderId))
    .orderBy(createdAt, id);
}

/** Paid, of the same account, and made from the beginning of a period until the next one. */
export function isAround(orderId: string) {
  const { accountId, paidAt, createdAt } = orders;
  return and(
    eq(accountId, sql`(select account_id from ${orders} where id = ${orderId})`),
    isNotNull(paidAt),
    sql`${createdAt} >= coalesce((${beginning(orderId, sql`(created_at, id) <=`, sql`desc`)}), 0)`,
    sql`${createdAt} < coalesce((${beginning(orderId, sql`(created_at, id) >`, sql`asc`)}), 9e15)`,
  );
}

/** When the nearest paid order that began a period was made, on one side of an order. */
function beginning(orderId: string, side: ReturnType<typeof sql>, direction: ReturnType<typeof sql>) {
  return sql`select created_at from orders
    where account_id = (select account_id from orders where id = ${orderId}) and paid_at is not null and kind <> 'change'
      and ${side} (select created_at, id from orders where id = ${orderId})
    order by created_at ${direction}, id ${direction} limit 1`;
}

/** `contractsOf` in SQL, for statements that have to decide by it: `left` and `right` name rows of `orders`. An unpaid order is alone. */
export function isSameContract(left: SQL, right: SQL): SQL {
  return sql`(${left}.id = ${right}.id or (${left}.account_id = ${right}.account_id and ${left}.paid_at is not null
    and ${right}.paid_at is not null and (${purchaseOf(left)}) is (${purchaseOf(right)})))`;
}

/** The newest paid order up to this one that took nothing over: a purchase, a renewal, or a change without credit for unused time. */
function purchaseOf(order: SQL): SQL {
  return sql`select began.id from ${orders} began
    where began.account_id = ${order}.account_id and began.paid_at is not null
      and (began.created_at, began.id) <= (${order}.created_at, ${order}.id)
      and (began.kind <> 'change'
        or not exists (select 1 from ${orderLines} credit where credit.order_id = began.id and credit.amount_minor < 0))
    order by began.created_at desc, began.id desc limit 1`;
}

/** A withdrawal from the contract of this order was declared, whichever of its orders it names, and is neither refunded nor contested. */
export function isWithdrawalOpen(order: SQL): SQL {
  return sql`exists (select 1 from ${withdrawals} declared join ${orders} named on named.id = declared.order_id
    where declared.state in ('declared', 'acknowledged') and named.account_id = ${order}.account_id
      and ${isSameContract(sql`named`, order)})`;
}

/** When the last order of this order's contract was paid that can be withdrawn from: renewals can't. Null: there is none. */
export function lastWithdrawableAt(order: SQL): SQL {
  return sql`(select max(last.paid_at) from ${orders} last
    where last.account_id = ${order}.account_id and last.kind <> 'renewal' and ${isSameContract(sql`last`, order)})`;
}

type Row = Awaited<ReturnType<typeof listContract>>[number];
export type OwnContractOrder = ContractOrder & { number: string | null; state: Order["state"] };

export function readContractOrder(row: Row, product: Parameters<typeof withdrawalEndsAt>[1]): OwnContractOrder {
  const { id, amountMinor, creditMinor } = row;
  // The table's CHECKs hold both; the query above made the lines.
  const kind = row.kind as Order["kind"];
  const state = row.state as Order["state"];
  // What a friend's discount gave back made the price less.
  const paidMinor = amountMinor - row.friendDiscountMinor;
  const { lostMinor } = row;
  const paidAt = row.paidAt ?? 0;
  return {
    ...{ id, state, cause: kind, number: orderNumber(row), paidMinor, creditMinor, paidAt, lostMinor },
    goneMinor: row.refundedMinor - row.friendDiscountMinor + lostMinor,
    goneAt: paidAt,
    restSentMinor: 0,
    withdrawUntil: withdrawalEndsAt({ kind, paidAt: row.paidAt }, product),
    lines: JSON.parse(row.lines) as ContractOrder["lines"],
  };
}
