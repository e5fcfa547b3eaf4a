import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { orderLines, orderMoments, orders } from "#app/db/schema.ts";
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
