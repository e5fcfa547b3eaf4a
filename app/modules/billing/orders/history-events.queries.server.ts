import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { type HistoryEventName, moneyBackEventNames } from "./history-events.rules.ts";
import { historyEvents, orders } from "./schema.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/** The stored events of refunds and disputes, by order. */
export function listMoneyBackEvents(db: Database, accountId: AccountId) {
  return db
    .select({ orderId: historyEvents.orderId, what: historyEvents.what, occurrence: historyEvents.occurrence })
    .from(historyEvents)
    .innerJoin(orders, and(eq(orders.id, historyEvents.orderId), eq(orders.accountId, accountId)))
    .where(inArray(historyEvents.what, [...moneyBackEventNames]));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

export type NewHistoryEvent = { what: HistoryEventName; occurrence?: string; amountMinor?: number; at?: number };

/** Adds an event to an order's history, once per occurrence, if `guard` holds; by default, if the order is in the state of the event's name. */
export function addHistoryEvent(
  db: Database,
  orderId: OrderId,
  historyEvent: NewHistoryEvent,
  now: number,
  guard?: SQL,
) {
  const { what, occurrence = "", amountMinor = null, at = now } = historyEvent;
  return statement(
    db,
    sql`
    insert into ${historyEvents} (order_id, what, occurrence, amount_minor, happened_at)
    select id, ${what}, ${occurrence}, ${amountMinor}, ${at} from ${orders}
    where id = ${orderId} and ${guard ?? sql`state = ${what}`}
    on conflict do nothing`,
  );
}

/** Adds the event if the order was ever paid, even if it was refunded since. */
export function addHistoryEventOfPaid(db: Database, orderId: OrderId, historyEvent: NewHistoryEvent, now: number) {
  return addHistoryEvent(db, orderId, historyEvent, now, sql`paid_at is not null`);
}
