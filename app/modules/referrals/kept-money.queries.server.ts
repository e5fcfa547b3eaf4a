import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { friendDiscounts, orders, referrals, withdrawals } from "#app/db/schema.ts";

export type Terms = { qualifyingMinor: number; currency: string };

/** What a friend has paid, zero orders left out. */
export function listPayments(db: Database, friendId: string, currency: string) {
  return db
    .select({
      amountMinor: orders.amountMinor,
      refundedMinor: sql<number>`${orders.refundedMinor} + ${discountToCome(sql`${orders}`)}`,
      dispute: orders.dispute,
      isWithdrawn: sql`${withdrawalIsOpen(sql`${orders.id}`)}`.mapWith(Boolean),
      paidAt: sql<number>`${orders.paidAt}`,
    })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, friendId),
        isNotNull(orders.paidAt),
        eq(orders.currency, currency),
        sql`${orders.amountMinor} > 0`,
      ),
    );
}

/**
 * What of a friend's payments was kept: `judgePayments` in SQL, so that money that goes back in the same moment is seen. Sure is only
 * what neither a bank nor a withdrawal asks for.
 */
export function keptBy(friendId: string | typeof referrals.friendId, currency: string, isSure = false): SQL {
  const counts = isSure
    ? sql`o.dispute in ('none', 'won') and not ${withdrawalIsOpen(sql`o.id`)}`
    : sql`o.dispute <> 'lost'`;
  return sql`(select coalesce(sum(max(0, o.amount_minor - o.refunded_minor - ${discountToCome(sql`o`)})), 0) from ${orders} o
    where o.account_id = ${friendId} and o.paid_at is not null and o.currency = ${currency} and ${counts})`;
}

/** What of an order goes back as a friend's discount and hasn't so far: it counts as gone from the beginning. */
function discountToCome(order: SQL): SQL {
  return sql`coalesce((select max(0, d.amount_minor - ${order}.friend_discount_minor) from ${friendDiscounts} d
    where d.order_id = ${order}.id and d.state <> 'refused'), 0)`;
}

/** A withdrawal from the contract of this order was declared, and is neither refunded nor contested. */
export function withdrawalIsOpen(orderId: SQL): SQL {
  return sql`exists (select 1 from ${withdrawals} declared
    where declared.order_id = ${orderId} and declared.state in ('declared', 'acknowledged'))`;
}
