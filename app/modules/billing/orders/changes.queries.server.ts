import type { InvoiceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, desc, eq, getTableColumns, inArray, isNotNull, or, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { keepsPlan, subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { orderLines, orders } from "./schema.ts";
import { orderMarks } from "./queries.server.ts";
import { addHistoryEvent } from "./history-events.queries.server.ts";
import { chargesShownMax, type Order } from "./rules.ts";
import { isOpenOrder } from "./states.queries.server.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The failed charge of a running plan that can be retried, for a renewal or a change: the given one, or else the oldest. */
export function findDueOrder(db: Database, accountId: AccountId, orderId?: OrderId) {
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        inArray(orders.kind, ["renewal", "change"]),
        inArray(orders.state, ["failed", "needs-action", "pending"]),
        isNotNull(orders.invoiceId),
        orderId === undefined ? undefined : eq(orders.id, orderId),
      ),
    )
    .orderBy(orders.createdAt)
    .limit(1);
}

/**
 * The end of the newest period by which a plan was renewed, paid like the one before; null if there is none. The first one that is paid for,
 * such as after a trial, begins the plan, and so does the first one of another plan or interval, also if that change was scheduled.
 */
export const findRenewedUntil = prepared((db: Database, accountId: AccountId) => {
  const before = sql`(select earlier.plan_id || ' ' || earlier.interval from ${orders} earlier
    where earlier.account_id = ${orders.accountId} and earlier.paid_at < ${orders.paidAt}
      and earlier.paid_at >= ${begunAt(accountId)}
      and exists (select 1 from ${orderLines} line where line.order_id = earlier.id and line.amount_minor > 0)
    order by earlier.paid_at desc, earlier.id desc limit 1)`;
  return db
    .select({ until: sql<number | null>`max(${orderLines.periodEndsAt})`.as("until") })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.kind, "renewal"),
        isNotNull(orders.paidAt),
        sql`${before} = ${orders.planId} || ' ' || ${orders.interval}`,
      ),
    );
});

/** When the running plan began. */
function begunAt(accountId: AccountId) {
  return sql`coalesce((select started_at from ${subscriptions} where account_id = ${accountId}
    and ${keepsPlan(subscriptions.state)}), 0)`;
}

/** A charge of a running plan that the bank is processing: the given one, or any. */
export function findProcessingOrder(db: Database, accountId: AccountId, orderId?: OrderId) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        inArray(orders.kind, ["renewal", "change"]),
        eq(orders.state, "processing"),
        orderId === undefined ? undefined : eq(orders.id, orderId),
      ),
    )
    .limit(1);
}

/** The change that was confirmed with a quote, unless it was cancelled or expired. */
export function findBegunChange(
  db: Database,
  accountId: AccountId,
  input: Pick<Order, "planId" | "interval" | "prorationAt">,
) {
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.kind, "change"),
        eq(orders.planId, input.planId),
        eq(orders.interval, input.interval),
        sql`${orders.prorationAt} = ${input.prorationAt}`,
        or(isOpenOrder, isNotNull(orders.paidAt)),
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1);
}

/** The running plan's charges: the newest, and those still open. */
export const listOrdersOfPlan = prepared((db: Database, accountId: AccountId) => {
  const newest = sql`select id from (select id from ${orders} where account_id = ${accountId} and paid_at >= ${begunAt(accountId)}
    order by created_at desc, id desc limit ${chargesShownMax})`;
  const open = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isOpenOrder));
  return db
    .select({ ...getTableColumns(orders), ...orderMarks })
    .from(orders)
    .where(sql`${orders.id} in (${newest} union all ${open.getSQL()})`)
    .orderBy(desc(orders.createdAt), desc(orders.id));
});

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type NewChange = Pick<
  Order,
  "id" | "accountId" | "planId" | "interval" | "currency" | "amountMinor" | "creditMinor" | "prorationAt"
> & { subscriptionId: SubscriptionId; fromPlanId: string; fromInterval: Interval; now: number; expiresAt: number };

/** Adds a change if the plan it was quoted for still runs and no other order is open: of several clicks, one writes. */
export function addChange(db: Database, change: NewChange) {
  const { id, accountId, planId, interval, currency, amountMinor, creditMinor, prorationAt, now, expiresAt } = change;
  return [
    statement(
      db,
      sql`
      insert into ${orders} (id, account_id, state, kind, plan_id, interval, currency, amount_minor, credit_minor,
        proration_at, created_at, expires_at, updated_at)
      select ${id}, ${accountId}, 'draft', 'change', ${planId}, ${interval}, ${currency}, ${amountMinor},
        ${creditMinor}, ${prorationAt}, ${now}, ${expiresAt}, ${now}
      from ${subscriptions} where id = ${change.subscriptionId} and account_id = ${accountId} and state = 'active'
        and plan_id = ${change.fromPlanId} and interval = ${change.fromInterval} and cancels_at is null
      on conflict do nothing`,
    ),
    addHistoryEvent(db, id, { what: "draft" }, now),
  ] as const;
}

/** Stores the invoice that charges for a change. */
export function openChange(db: Database, id: OrderId, invoiceId: InvoiceId, now: number) {
  return [
    statement(
      db,
      sql`
      update ${orders} set state = 'pending', invoice_id = ${invoiceId}, unconfirmed_until = null, updated_at = ${now}
      where id = ${id} and state = 'draft' and not exists (select 1 from ${orders} where invoice_id = ${invoiceId})`,
    ),
    addHistoryEvent(db, id, { what: "pending" }, now),
  ] as const;
}
