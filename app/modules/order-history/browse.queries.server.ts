import { and, desc, eq, getTableColumns, gte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#app/db/client.server.ts";
import { orderLines, orderMoments, orders } from "#app/modules/orders/schema.ts";
import { friendDiscounts, referrals } from "#app/modules/referrals/schema.ts";
import { type Cursor, type OrderFilter, yearBounds } from "./browse.rules.ts";
import { type OrderState, orderStates } from "#app/modules/orders/rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export type Listing = OrderFilter & { timeZone: string; after: Cursor | null; limit: number };

/**
 * Orders of an account, newest first, from a place on that new ones don't move. However many there are, no more of them are read than
 * are asked for; of a year twice as many, since those that were paid and the others are two lists.
 */
export function listOrders(db: Database, accountId: string, { year, state, timeZone, after, limit }: Listing) {
  const among = (...narrowed: SQL[]) =>
    db
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.accountId, accountId),
          state === null ? isNoAttempt : eq(orders.state, state),
          ...narrowed,
          after === null ? undefined : sql`(${orders.createdAt}, ${orders.id}) < (${after.createdAt}, ${after.id})`,
        ),
      );
  const found = year === null ? among() : unionAll(among(eq(orders.numberYear, year)), among(unpaidOf(year, timeZone)));
  return found.orderBy(desc(orders.createdAt), desc(orders.id)).limit(limit);
}

/** Left out unless their state is asked for: what was chosen and never paid for was charged to nobody. */
const isNoAttempt = sql`not (${orders.state} in ('cancelled', 'expired') and ${orders.kind} <> 'renewal')`;

function unpaidOf(year: number, timeZone: string): SQL {
  const { from, until } = yearBounds(year, timeZone);
  return sql`${orders.numberYear} is null and ${orders.createdAt} >= ${from} and ${orders.createdAt} < ${until}`;
}

/** Which states there are among an account's orders: a look at each state, not at each order. */
export function listStates(db: Database, accountId: string) {
  // The list that is handed in holds nothing else.
  return db
    .select({ state: sql<OrderState>`value` })
    .from(sql`json_each(${JSON.stringify(orderStates)})`)
    .where(sql`exists (select 1 from ${orders} where account_id = ${accountId} and state = value)`);
}

/** In which years the orders lie that the list shows, from each year to the one before it without what lies between. */
export function listYears(db: Database, accountId: string, state: OrderState | null) {
  const isShown = state === "cancelled" || state === "expired" ? sql`true` : isNoAttempt;
  const unpaid = sql`from ${orders} where account_id = ${accountId} and number_year is null and ${isShown} and created_at`;
  const numbered = sql`select max(number_year) from ${orders} where account_id = ${accountId} and number_year`;
  const startOfItsYear = sql`unixepoch(at / 1000, 'unixepoch', 'start of year') * 1000`;
  return db.select({
    numberYear: sql<number | null>`year`,
    firstAt: sql<number>`first_at`,
    lastAt: sql<number>`last_at`,
  }).from(sql`(
    with
      numbers(year) as (${numbered} < 10000 union all select (${numbered} < year) from numbers where year is not null),
      lasts(at) as (select max(created_at) ${unpaid} >= 0
        union all select (select max(created_at) ${unpaid} < ${startOfItsYear}) from lasts where at is not null)
    select year, 0 as first_at, 0 as last_at from numbers where year is not null
    union all select null, (select min(created_at) ${unpaid} >= ${startOfItsYear}), at from lasts where at is not null)`);
}

/** The newest orders since then, whatever became of them: no more are read than are asked for. */
export function listLatest(db: Database, accountId: string, since: number, limit: number) {
  const { createdAt, paidAt, currency, amountMinor, refundedMinor, dispute } = orders;
  return db
    .select({ createdAt, paidAt, currency, amountMinor, refundedMinor, dispute })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), gte(createdAt, since)))
    .orderBy(desc(createdAt), desc(orders.id))
    .limit(limit);
}

/**
 * By whom an account was brought, and what became of the discount for that; whether this order is the first by which money came in. The
 * referrals room makes of it what the order's page says. By names of its own: a batch answers by them, and two of the tables have a state.
 */
export function findFriendship(db: Database, orderId: string, accountId: string) {
  const isEarlier = sql`o.account_id = ${accountId} and o.paid_at < mine.paid_at and o.currency = mine.currency and o.amount_minor > 0`;
  return db
    .select({
      referralState: sql<string>`${referrals.state}`.as("referral_state"),
      signedUpAt: referrals.signedUpAt,
      voidWhy: referrals.voidWhy,
      isFirst: sql<number>`exists (select 1 from ${orders} mine where mine.id = ${orderId} and mine.paid_at is not null
        and mine.amount_minor > 0 and not exists (select 1 from ${orders} o where ${isEarlier}))`.as("is_first"),
      discountOrderId: sql<string | null>`${friendDiscounts.orderId}`.as("discount_order_id"),
      discountState: sql<string | null>`${friendDiscounts.state}`.as("discount_state"),
      why: friendDiscounts.why,
      amountMinor: friendDiscounts.amountMinor,
      currency: friendDiscounts.currency,
    })
    .from(referrals)
    .leftJoin(friendDiscounts, eq(friendDiscounts.referralId, referrals.id))
    .where(eq(referrals.friendId, accountId));
}

export function listLines(db: Database, orderId: string, accountId: string) {
  const { orderId: _order, ...facts } = getTableColumns(orderLines);
  return db
    .select(facts)
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.id, orderLines.orderId), eq(orders.accountId, accountId)))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position);
}

/**
 * As they were written, which is the order in which one followed from the other: their times are partly the provider's, in whole
 * seconds and by its own clock.
 */
export function listMoments(db: Database, orderId: string, accountId: string) {
  const { what, cause, amountMinor, happenedAt } = orderMoments;
  return db
    .select({ what, cause, amountMinor, happenedAt })
    .from(orderMoments)
    .innerJoin(orders, and(eq(orders.id, orderMoments.orderId), eq(orders.accountId, accountId)))
    .where(eq(orderMoments.orderId, orderId))
    .orderBy(sql`${orderMoments}.rowid`);
}
