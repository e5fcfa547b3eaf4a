import type { AccountId } from "#app/core/id.ts";
import { and, eq, inArray, lte, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { orders } from "#app/modules/orders/schema.ts";
import { customers, subscriptions } from "#app/modules/subscriptions/schema.ts";
import { hourMs, minuteMs, dayMs } from "#app/core/time/time.ts";
import { keepingStates } from "#app/modules/subscriptions/rules.ts";
import { openStates } from "#app/modules/orders/rules.ts";

/** Syncs an open order after this long without a change, since an event may have been lost. */
const quietMs = 5 * minuteMs;
/** The longest wait between two syncs of an open order. */
const quietAtMostMs = 6 * hourMs;
/** The time between two syncs of a plan that isn't paid for. */
const unpaidMs = 6 * hourMs;
/** A plan is synced this long after its period ended, unless its next period is known by then. */
const overdueMs = hourMs;
/** Every customer is synced at least this often. */
const everyAccountMs = 7 * dayMs;

/** The states of a plan that isn't paid for, or is paused. */
const notPaidFor = keepingStates.filter((state) => state !== "active");

/** For the cron job: accounts whose rows may be outdated, those synced longest ago first. */
export function listDueCustomers(db: Database, now: number, limits: { each: number; all: number }) {
  const account = { accountId: customers.accountId };
  const lastCheckedAt = sql<number>`max(${orders.updatedAt}, ${customers.askedAt})`;
  const waitMs = sql`min(${quietAtMostMs}, max(${quietMs}, (${lastCheckedAt} - ${orders.createdAt}) / 4))`;
  const mayBeOpen = or(
    inArray(
      orders.state,
      openStates.filter((state) => state !== "draft"),
    ),
    // Stripe knows nothing of a purchase before it is pending; a change may have been charged although its answer was lost.
    and(eq(orders.state, "draft"), eq(orders.kind, "change")),
  );
  return [
    db
      .selectDistinct(account)
      .from(orders)
      .innerJoin(customers, eq(customers.accountId, orders.accountId))
      .where(and(mayBeOpen, sql`${now} - ${lastCheckedAt} >= ${waitMs}`))
      .orderBy(lastCheckedAt)
      .limit(limits.each),
    db
      .selectDistinct(account)
      .from(subscriptions)
      .innerJoin(customers, eq(customers.accountId, subscriptions.accountId))
      .where(
        or(
          and(inArray(subscriptions.state, notPaidFor), lte(customers.askedAt, now - unpaidMs)),
          and(
            inArray(subscriptions.state, keepingStates),
            lte(subscriptions.periodEndsAt, now - overdueMs),
            lte(customers.askedAt, now - overdueMs),
          ),
        ),
      )
      .orderBy(customers.askedAt)
      .limit(limits.each),
    db
      .select(account)
      .from(customers)
      .where(lte(customers.askedAt, now - everyAccountMs))
      .orderBy(customers.askedAt)
      .limit(limits.all),
  ] as const;
}

/** Stored before the sync, so that the next run starts with other customers even if this one fails. */
export function changePolledAt(db: Database, accountId: AccountId, now: number) {
  return db.update(customers).set({ askedAt: now }).where(eq(customers.accountId, accountId));
}
