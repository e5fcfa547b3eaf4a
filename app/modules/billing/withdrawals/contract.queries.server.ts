import { invariant } from "#app/core/invariant.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, eq, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import type { Day } from "#app/core/time/calendar.ts";
import { readJson } from "#app/db/json-column.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orderLines, historyEvents, orders } from "#app/modules/billing/orders/schema.ts";
import { withdrawals } from "./schema.ts";
import type { ContractOrder } from "./contract-orders.rules.ts";
import { isStandingLoss } from "#app/modules/billing/orders/queries.server.ts";
import { type Order, orderNumber } from "#app/modules/billing/orders/rules.ts";
import { withdrawalEnd } from "./withdrawal-period.rules.ts";
import { literals } from "#app/db/one-of.ts";
import { unansweredWithdrawals } from "./withdrawals.rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The account's last paid order, and those of its plan that may be decided with it, oldest first. */
export function listLastContract(db: Database, accountId: AccountId) {
  const last = sql`(select id from ${orders} where account_id = ${accountId} and paid_at is not null
    order by created_at desc, id desc limit 1)`;
  return readContract(db, isAround(last));
}

/** The paid order `orderId` and those of its plan that may be decided with it, oldest first, each with its lines. */
export const listContract = prepared((db: Database, orderId: OrderId) => readContract(db, isAround(orderId)));

/**
 * Like `listContract`, but empty unless the account has declared a withdrawal, or has paid an order with a right of withdrawal since
 * `paidSince`.
 */
export const listOpenContract = prepared((db: Database, orderId: OrderId, accountId: AccountId, paidSince: number) =>
  readContract(db, and(or(hasWithdrawal(accountId), hasPaidPurchase(accountId, paidSince)), isAround(orderId))),
);

function readContract(db: Database, which: SQL | undefined) {
  const { id, kind, state, dispute, createdAt, paidAt, buyerTimeZone } = orders;
  const {
    numberYear,
    numberInYear,
    currency,
    amountMinor,
    refundedMinor,
    friendDiscountMinor,
    creditMinor,
    creditReturnedMinor,
    invoiceId,
  } = orders;
  return db
    .select({
      id,
      kind,
      state,
      dispute,
      paidAt,
      buyerTimeZone,
      numberYear,
      numberInYear,
      currency,
      amountMinor,
      refundedMinor,
      friendDiscountMinor,
      creditMinor,
      creditReturnedMinor,
      invoiceId,
      lines: sql<string>`(
        select json_group_array(json_object('amountMinor', amount_minor, 'periodStartsAt', period_starts_at,
          'periodEndsAt', period_ends_at)) from ${orderLines} where order_id = ${orders}.id)`.as("lines"),
      lostMinor: sql<number>`(
        select coalesce(sum(amount_minor), 0) from ${historyEvents} loss
        where loss.order_id = ${orders}.id and ${isStandingLoss("loss")})`.as("lost_minor"),
      moneyBackAt: sql<number | null>`(
        select max(happened_at) from ${historyEvents} back
        where back.order_id = ${orders}.id and (back.what = 'refund' or ${isStandingLoss("back")}))`.as(
        "money_back_at",
      ),
      zones: sql<string>`(
        select json_group_array(time_zone) from (
          select time_zone from ${accounts} where id = ${orders}.account_id
          union select declared.time_zone from ${withdrawals} declared join ${orders} named on named.id = declared.order_id
            where named.account_id = ${orders}.account_id and declared.time_zone is not null))`.as("zones"),
    })
    .from(orders)
    .where(which)
    .orderBy(createdAt, id);
}

/** How many paid orders are read before, and after, the one whose contract is shown. The sync reads all of them. */
const aroundMax = 24;

/** When each dispute was found to be lost: Stripe reports only when a dispute was opened. */
export function listLostDisputes(db: Database, accountId: AccountId) {
  return db
    .select({ disputeId: historyEvents.occurrence, decidedAt: historyEvents.happenedAt })
    .from(historyEvents)
    .innerJoin(orders, and(eq(orders.id, historyEvents.orderId), eq(orders.accountId, accountId)))
    .where(eq(historyEvents.what, "dispute-lost"));
}

/** In which time zone each order of the account that can be withdrawn from was paid. */
export function listBuyerTimeZones(db: Database, accountId: AccountId) {
  return db
    .select({ invoiceId: orders.invoiceId, zone: orders.buyerTimeZone })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.paidAt), ne(orders.kind, "renewal")));
}

/** Paid orders of the same plan, including the order itself. contract-orders.rules.ts decides which belong together. */
function isAround(orderId: OrderId | SQL) {
  const { accountId, paidAt, createdAt } = orders;
  const account = sql`(select account_id from ${orders} where id = ${orderId})`;
  const own = sql`select created_at, id from ${orders} where id = ${orderId}`;
  const paid = sql`select created_at, kind from ${orders} where account_id = ${account} and paid_at is not null`;
  const before = sql`${paid} and (created_at, id) <= (${own}) order by created_at desc, id desc limit ${aroundMax}`;
  const after = sql`${paid} and (created_at, id) > (${own}) order by created_at, id limit ${aroundMax}`;
  const newPlanAt = sql`case when kind = 'new-plan' then created_at end`;
  const first = sql`select max(min(created_at), coalesce(max(${newPlanAt}), 0)) from (${before})`;
  const end = sql`select coalesce(min(${newPlanAt}), max(created_at) + 1, 0) from (${after})`;
  return and(
    eq(accountId, account),
    isNotNull(paidAt),
    sql`${createdAt} >= (${first})`,
    sql`${createdAt} < max((${end}), (select created_at + 1 from ${orders} where id = ${orderId}))`,
  );
}

/**
 * Whether two orders belong to one contract, as long as nothing is undone, in SQL; `left` and `right` are rows of `orders`. An unpaid order
 * is a separate contract.
 */
function isSameContract(left: SQL, right: SQL): SQL {
  return sql`(${left}.id = ${right}.id or (${left}.account_id = ${right}.account_id and ${left}.paid_at is not null
    and ${right}.paid_at is not null and (${purchaseOf(left)}) is (${purchaseOf(right)})))`;
}

/** The newest paid order up to this one that credited no unused time: a purchase, a renewal, or a change at full price. */
function purchaseOf(order: SQL): SQL {
  return sql`select began.id from ${orders} began
    where began.account_id = ${order}.account_id and began.paid_at is not null
      and (began.created_at, began.id) <= (${order}.created_at, ${order}.id)
      and (began.kind <> 'change'
        or not exists (select 1 from ${orderLines} credit where credit.order_id = began.id and credit.amount_minor < 0))
    order by began.created_at desc, began.id desc limit 1`;
}

function hasWithdrawal(accountId: AccountId): SQL {
  return sql`exists (select 1 from ${withdrawals} declared join ${orders} named on named.id = declared.order_id
    where named.account_id = ${accountId})`;
}

function hasPaidPurchase(accountId: AccountId, paidSince: number): SQL {
  return sql`exists (select 1 from ${orders} began
    where began.account_id = ${accountId} and began.kind <> 'renewal' and began.paid_at > ${paidSince})`;
}

/**
 * Whether the order's account has an open withdrawal, whichever order it names, since earlier and later charges may be refunded with it.
 */
export function isWithdrawalOpen(order: SQL): SQL {
  return hasOpenWithdrawal(sql`${order}.account_id`);
}

/**
 * Whether a withdrawal from an order of this account was declared, by the owner or another person, and is neither refunded nor contested.
 */
export function hasOpenWithdrawal(accountId: SQL): SQL {
  return sql`exists (select 1 from ${withdrawals} declared join ${orders} named on named.id = declared.order_id
    where declared.state in ${literals(unansweredWithdrawals)} and named.account_id = ${accountId})`;
}

/** When the last order of this order's contract with a right of withdrawal was paid (renewals have none). Null if there is none. */
export function lastWithdrawableAt(order: SQL): SQL {
  return sql`(select max(last.paid_at) from ${orders} last
    where last.account_id = ${order}.account_id and last.kind <> 'renewal' and ${isSameContract(sql`last`, order)})`;
}

type Row = Awaited<ReturnType<typeof listContract>>[number];
export type OwnContractOrder = ContractOrder & {
  id: OrderId;
  number: string | null;
  state: Order["state"];
  creditReturnedMinor: number;
  /** The last day on which it can be withdrawn from. Null if there is no right of withdrawal. */
  lastDay: Day | null;
};

export function readContractOrder(row: Row, product: Parameters<typeof withdrawalEnd>[1]): OwnContractOrder {
  const { id, state, amountMinor, creditMinor, paidAt } = row;
  const end = withdrawalEnd(row, product, readJson<string[]>("array", row.zones));
  // A friend's discount counts as a lower price.
  const paidMinor = amountMinor - row.friendDiscountMinor;
  const { lostMinor } = row;
  invariant(paidAt !== null, `Order ${id} is part of a contract and wasn't paid`);
  return {
    id,
    state,
    billingReason: row.kind,
    currency: row.currency,
    number: orderNumber(row),
    paidMinor,
    creditMinor,
    creditReturnedMinor: row.creditReturnedMinor,
    paidAt,
    lostMinor,
    returnedMinor: row.refundedMinor - row.friendDiscountMinor + lostMinor,
    returnedAt: row.moneyBackAt ?? paidAt,
    restSentMinor: 0,
    withdrawUntil: end?.until ?? null,
    lastDay: end?.lastDay ?? null,
    lines: readJson<ContractOrder["lines"]>("array", row.lines),
  };
}
