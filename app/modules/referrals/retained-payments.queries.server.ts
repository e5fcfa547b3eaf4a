import type { AccountId } from "#app/core/id.ts";
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { dayMs } from "#app/core/time/time.ts";
import type { Database } from "#app/db/database.server.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { friendDiscounts, referrals } from "./schema.ts";
import { isWithdrawalOpen, lastWithdrawableAt } from "#app/modules/billing/withdrawals/contract.queries.server.ts";
import type { Hold } from "./reward.rules.ts";

export type Terms = { qualifyingMinor: number; currency: string };

/** A friend's payments, without orders of zero. */
export function listPayments(db: Database, friendId: AccountId, currency: string, hold: Hold) {
  return db
    .select({
      amountMinor: orders.amountMinor,
      refundedMinor: sql<number>`${orders.refundedMinor} + ${discountToCome(sql`${orders}`)}`,
      dispute: orders.dispute,
      isWithdrawn: isWithdrawalOpen(sql`${orders}`).mapWith(Boolean),
      heldFrom: sql<number>`${heldFrom(sql`${orders}`, hold)}`,
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
 * The amount of a friend's payments that wasn't returned: `sumRetained` in SQL, so that a simultaneous refund counts. With `held`, only
 * payments without a dispute or withdrawal whose holding period was over by then.
 */
export function retainedBy(
  friendId: AccountId | typeof referrals.friendId,
  currency: string,
  held?: { hold: Hold; now: number },
): SQL {
  const counts = held
    ? sql`o.dispute in ('none', 'won') and not ${isWithdrawalOpen(sql`o`)}
        and ${heldFrom(sql`o`, held.hold)} <= ${held.now - held.hold.days * dayMs}`
    : sql`o.dispute <> 'lost'`;
  return sql`(select coalesce(sum(max(0, o.amount_minor - o.refunded_minor - ${discountToCome(sql`o`)})), 0) from ${orders} o
    where o.account_id = ${friendId} and o.paid_at is not null and o.currency = ${currency} and ${counts})`;
}

/** The part of an order that is still to be refunded as a friend's discount: it counts as returned from the start. */
function discountToCome(order: SQL): SQL {
  return sql`coalesce((select max(0, d.amount_minor - ${order}.friend_discount_minor) from ${friendDiscounts} d
    where d.order_id = ${order}.id and d.state <> 'refused'), 0)`;
}

/** The start of the holding period: the payment, or a later one of its contract, withdrawing from which would refund this one too. */
function heldFrom(order: SQL, { isByContract }: Hold): SQL {
  return isByContract ? sql`max(${order}.paid_at, coalesce(${lastWithdrawableAt(order)}, 0))` : sql`${order}.paid_at`;
}
