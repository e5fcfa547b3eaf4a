import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { attemptsShownMax, facetsOf, type ListedOrder, type OrderCursor, type OrdersQuery } from "../browse.rules.ts";
import {
  listAttempts,
  listLatest,
  listOrders,
  listStates,
  listYears,
  readListedOrder,
} from "../browse.queries.server.ts";
import { pageSize } from "#app/modules/billing/orders/rules.ts";
import { recentOrdersMax, type MonthSpent, spendingByMonth, spendingMs } from "../spending.rules.ts";

export type OrdersPage = {
  orders: ListedOrder[];
  /** The newest unfinished attempts, independent of the filter. */
  attempts: ListedOrder[];
  /** The filters of the list; both empty if there are no orders at all. */
  facets: ReturnType<typeof facetsOf>;
  next: OrderCursor | null;
  /** Spending of the last months, independent of the filter; empty if there is nothing to compare. */
  spent: MonthSpent[];
};

export async function browseOrders(
  app: Pick<App, "db" | "clock" | "product">,
  accountId: AccountId,
  input: OrdersQuery,
): Promise<OrdersPage> {
  const { db } = app;
  const { timeZone, currency } = app.product;
  const now = app.clock();
  const { rows, attempts, states, years, latest } = await batchNamed(db, {
    rows: listOrders(db, accountId, { ...input, timeZone, limit: pageSize + 1 }),
    attempts: listAttempts(db, accountId, attemptsShownMax),
    states: listStates(db, accountId),
    years: listYears(db, accountId, input.state),
    latest: listLatest(db, accountId, now - spendingMs, recentOrdersMax),
  });
  const orders = rows.slice(0, pageSize).map(readListedOrder);
  const last = orders.at(-1);
  return {
    orders,
    attempts: newestFirst(attempts.map(readListedOrder)).slice(0, attemptsShownMax),
    facets: facetsOf(states, years, timeZone),
    next: rows.length > pageSize && last ? [last.createdAt, last.id] : null,
    spent: spendingByMonth(latest, { timeZone, currency, now }),
  };
}

function newestFirst(orders: ListedOrder[]): ListedOrder[] {
  return orders.toSorted((left, right) => right.createdAt - left.createdAt);
}
