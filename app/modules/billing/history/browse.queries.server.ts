import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, desc, eq, getTableColumns, gte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { isAfter } from "#app/db/is-after.server.ts";
import { orderLines, historyEvents, orders } from "#app/modules/billing/orders/schema.ts";
import { friendDiscounts, referrals } from "#app/modules/referrals/schema.ts";
import { type ListedOrder, type OrderCursor, type OrderFilter, yearBounds } from "./browse.rules.ts";
import { orderMarks } from "#app/modules/billing/orders/queries.server.ts";
import {
  type OrderState,
  givenUpStates,
  payableStates,
  orderTransitions,
  confirmableStates,
} from "#app/modules/billing/orders/states.rules.ts";
import { literals } from "#app/db/one-of.ts";
import { idOfOpenChoice } from "#app/modules/billing/orders/states.queries.server.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** Reading all columns of an order takes twice as long. */
const listedColumns = {
  id: orders.id,
  state: orders.state,
  dispute: orders.dispute,
  kind: orders.kind,
  planId: orders.planId,
  interval: orders.interval,
  currency: orders.currency,
  amountMinor: orders.amountMinor,
  taxMinor: orders.taxMinor,
  discountMinor: orders.discountMinor,
  creditMinor: orders.creditMinor,
  refundedMinor: orders.refundedMinor,
  numberYear: orders.numberYear,
  numberInYear: orders.numberInYear,
  createdAt: orders.createdAt,
  paidAt: orders.paidAt,
  unconfirmedUntil: orders.unconfirmedUntil,
  ...orderMarks,
};

type ListedRow = Omit<ListedOrder, "isUnconfirmed"> & Pick<typeof orders.$inferSelect, "unconfirmedUntil">;

export function readListedOrder({ unconfirmedUntil, ...row }: ListedRow): ListedOrder {
  return { ...row, isUnconfirmed: unconfirmedUntil !== null };
}

type Listing = OrderFilter & { timeZone: string; after: OrderCursor | null; limit: number };

/**
 * An account's orders, newest first, after a cursor that new orders don't shift. Reads no more rows than requested, but twice as many for
 * a year, since paid and unpaid orders are two lists.
 */
export function listOrders(db: Database, accountId: AccountId, listing: Listing) {
  const { year, state, after, limit } = listing;
  const isWhole = year === null && state === null && after === null;
  return isWhole ? listNewestOrders(db, accountId, limit) : selectOrders(db, accountId, listing);
}

// Only a query for a year reads the time zone.
const listNewestOrders = prepared((db: Database, accountId: AccountId, limit: number) =>
  selectOrders(db, accountId, { year: null, state: null, timeZone: "", after: null, limit }),
);

function selectOrders(db: Database, accountId: AccountId, { year, state, timeZone, after, limit }: Listing) {
  const among = (...narrowed: SQL[]) =>
    db
      .select(listedColumns)
      .from(orders)
      .where(
        and(
          eq(orders.accountId, accountId),
          state === null ? sql`not ${isAttempt}` : eq(orders.state, state),
          ...narrowed,
          after === null ? undefined : isAfter([orders.createdAt, orders.id], after, "desc"),
        ),
      );
  const found = year === null ? among() : unionAll(among(eq(orders.numberYear, year)), among(unpaidOf(year, timeZone)));
  return found.orderBy(desc(orders.createdAt), desc(orders.id)).limit(limit);
}

/**
 * An attempt is a checkout or change that came to nothing, or a first payment that the customer left or the bank declined. The page lists
 * attempts apart, and its list and CSV contain them only if the user filters by their state. An order that is processing or may have been
 * paid isn't an attempt.
 */
const isAttempt = sql`(${orders.unconfirmedUntil} is null
  and (+${orders.state} in ${literals(givenUpStates)} and ${orders.kind} <> 'renewal'
    or +${orders.state} in ${literals(payableStates)} and ${orders.kind} = 'new-plan'))`;

/**
 * The account's newest attempts, unsorted: the open one, which the partial UNIQUE index finds and allows once, and those among the newest
 * `limit` cancelled and the newest `limit` expired orders.
 */
export const listAttempts = prepared((db: Database, accountId: AccountId, limit: number) => {
  const newestIn = (state: OrderState) => sql`select id from (select id from ${orders}
    where account_id = ${accountId} and state = ${state} order by created_at desc, id desc limit ${limit})`;
  const newest = sql.join([idOfOpenChoice(accountId), ...givenUpStates.map(newestIn)], sql` union all `);
  return db
    .select(listedColumns)
    .from(orders)
    .where(and(sql`${orders.id} in (${newest})`, isAttempt));
});

function unpaidOf(year: number, timeZone: string): SQL {
  const { from, until } = yearBounds(year, timeZone);
  return sql`${orders.numberYear} is null and ${orders.createdAt} >= ${from} and ${orders.createdAt} < ${until}`;
}

/** The states of an account's orders: one index lookup per state, not a scan of all orders. */
export const listStates = prepared((db: Database, accountId: AccountId) => {
  return db
    .select({ state: sql<OrderState>`value` })
    .from(sql`json_each(${JSON.stringify(Object.keys(orderTransitions))})`)
    .where(sql`exists (select 1 from ${orders} where account_id = ${accountId} and state = value)`);
});

/** The years of the listed orders, each found from the one after it without scanning the orders in between. */
export function listYears(db: Database, accountId: AccountId, state: OrderState | null) {
  const hasAttempts = state !== null && confirmableStates.includes(state);
  return (hasAttempts ? listYearsOfAll : listYearsOfListed)(db, accountId);
}

const listYearsOfListed = prepared((db: Database, accountId: AccountId) =>
  selectYears(db, accountId, sql`not ${isAttempt}`),
);
const listYearsOfAll = prepared((db: Database, accountId: AccountId) => selectYears(db, accountId, sql`true`));

function selectYears(db: Database, accountId: AccountId, isShown: SQL) {
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

/** The newest orders since then, in any state, and no more than `limit`. */
export const listLatest = prepared((db: Database, accountId: AccountId, since: number, limit: number) => {
  const { createdAt, paidAt, currency, amountMinor, refundedMinor } = orders;
  const { lostMinor } = orderMarks;
  return db
    .select({ createdAt, paidAt, currency, amountMinor, refundedMinor, lostMinor })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), gte(createdAt, since)))
    .orderBy(desc(createdAt), desc(orders.id))
    .limit(limit);
});

/**
 * An account's referrer, and what became of the discount for it; and whether this order was the first paid one. The referrals module
 * turns it into what the order's page says. Columns are aliased, since a batch returns objects and two tables have a `state`.
 */
export const findFriendship = prepared((db: Database, orderId: OrderId, accountId: AccountId) => {
  const isEarlier = sql`o.account_id = ${accountId} and o.paid_at < mine.paid_at and o.currency = mine.currency and o.amount_minor > 0`;
  return db
    .select({
      referralState: sql<(typeof referrals.$inferSelect)["state"]>`${referrals.state}`.as("referral_state"),
      signedUpAt: referrals.signedUpAt,
      voidWhy: referrals.voidWhy,
      isFirst: sql<number>`exists (select 1 from ${orders} mine where mine.id = ${orderId} and mine.paid_at is not null
        and mine.amount_minor > 0 and not exists (select 1 from ${orders} o where ${isEarlier}))`.as("is_first"),
      discountOrderId: sql<string | null>`${friendDiscounts.orderId}`.as("discount_order_id"),
      discountState: sql<(typeof friendDiscounts.$inferSelect)["state"] | null>`${friendDiscounts.state}`.as(
        "discount_state",
      ),
      why: friendDiscounts.why,
      amountMinor: friendDiscounts.amountMinor,
      currency: friendDiscounts.currency,
    })
    .from(referrals)
    .leftJoin(friendDiscounts, eq(friendDiscounts.referralId, referrals.id))
    .where(eq(referrals.friendId, accountId));
});

export const listOrderLines = prepared((db: Database, orderId: OrderId, accountId: AccountId) => {
  const { orderId: _order, ...facts } = getTableColumns(orderLines);
  return db
    .select(facts)
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.id, orderLines.orderId), eq(orders.accountId, accountId)))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position);
});

/** In the order they were written, since their times are partly Stripe's, in whole seconds and by its own clock. */
export const listHistoryEvents = prepared((db: Database, orderId: OrderId, accountId: AccountId) => {
  const { what, occurrence, amountMinor, happenedAt } = historyEvents;
  return db
    .select({ what, occurrence, amountMinor, happenedAt })
    .from(historyEvents)
    .innerJoin(orders, and(eq(orders.id, historyEvents.orderId), eq(orders.accountId, accountId)))
    .where(eq(historyEvents.orderId, orderId))
    .orderBy(sql`${historyEvents}.rowid`);
});
