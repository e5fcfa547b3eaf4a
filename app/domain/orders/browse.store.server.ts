import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { orderLines, orderMoments, orders } from "#app/db/schema.ts";
import { type Cursor, type OrderFilter, yearBounds } from "./browse.rules.ts";
import type { OrderState } from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export type Listing = OrderFilter & { timeZone: string; after: Cursor | null; limit: number };

/** Orders of an account, newest first, from a place on that new ones don't move. */
export function listOrders(db: Database, accountId: string, { year, state, timeZone, after, limit }: Listing) {
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        state === null ? undefined : eq(orders.state, state),
        year === null ? undefined : ofYear(year, timeZone),
        after === null ? undefined : sql`(${orders.createdAt}, ${orders.id}) < (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

function ofYear(year: number, timeZone: string): SQL {
  const { from, until } = yearBounds(year, timeZone);
  return sql`(${orders.numberYear} = ${year}
    or (${orders.numberYear} is null and ${orders.createdAt} >= ${from} and ${orders.createdAt} < ${until}))`;
}

/** All orders of an account in few rows: which states and years there are. */
export function listHeaps(db: Database, accountId: string) {
  const yearInUtc = sql`case when ${orders.numberYear} is null then strftime('%Y', ${orders.createdAt} / 1000, 'unixepoch') end`;
  return db
    .select({
      // The table's CHECK holds it.
      state: sql<OrderState>`${orders.state}`,
      numberYear: orders.numberYear,
      firstAt: sql<number>`min(${orders.createdAt})`,
      lastAt: sql<number>`max(${orders.createdAt})`,
    })
    .from(orders)
    .where(eq(orders.accountId, accountId))
    .groupBy(orders.state, orders.numberYear, yearInUtc);
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
