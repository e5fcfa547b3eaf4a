import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import { statesBefore } from "#app/core/states-before.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { customers } from "#app/modules/billing/subscriptions/schema.ts";
import { historyEvents, orders } from "./schema.ts";
import { openStates, type OrderFailure, type OrderState, orderStates, orderTransitions } from "./rules.ts";
import { moneyBackEventNames, type HistoryEventName, occurrences } from "./history-events.rules.ts";
import { confirmableStates } from "./unconfirmed.rules.ts";

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

type NewHistoryEvent = { what: HistoryEventName; occurrence?: string; amountMinor?: number; at?: number };

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

/** What a sync found about an order at Stripe, and when it asked. */
export type Finding = {
  checkoutId: CheckoutId | null;
  /** Where it can be paid. */
  checkoutUrl: string | null;
  invoiceId: InvoiceId | null;
  attempts: number;
  nextTryAt: number | null;
  /** When failed attempts were made, oldest first, including retries the customer asked for, which `attempts` doesn't count. */
  failedAts: number[];
  askedAt: number;
};

/** Changes an order's state, only from states that allow it; by a sync's finding only if no later one was written. */
export function changeOrderState(
  db: Database,
  id: OrderId,
  change: {
    to: Exclude<OrderState, "paid">;
    /** To allow only some of the possible previous states. */
    from?: readonly OrderState[];
    failure: OrderFailure | null;
    finding?: Finding;
  },
  now: number,
) {
  const { to, failure, finding } = change;
  const from = change.from ?? statesBefore(orderStates, orderTransitions, to);
  return [
    db
      .update(orders)
      .set({
        state: to,
        failure,
        updatedAt: now,
        ...(finding && found(finding)),
        ...(to === "processing" && { unconfirmedUntil: null }),
      })
      .where(and(eq(orders.id, id), inArray(orders.state, [...from]), finding && askedLast(finding))),
    ...historyEventsOf(to, finding).map((historyEvent) =>
      addHistoryEvent(db, id, historyEvent, now, sql`state = ${to}`),
    ),
  ] as const;
}

/** Stores what a sync found about an order whose state is unchanged, such as another failed attempt or an expired page. */
export function confirmOrderState(
  db: Database,
  id: OrderId,
  { state, failure, finding }: { state: OrderState; failure: OrderFailure | null; finding: Finding },
  now: number,
) {
  return [
    db
      .update(orders)
      .set({ failure, updatedAt: now, ...found(finding) })
      .where(and(eq(orders.id, id), eq(orders.state, state), askedLast(finding))),
    ...historyEventsOf(state, finding).map((historyEvent) => addHistoryEvent(db, id, historyEvent, now)),
  ] as const;
}

/**
 * Each attempt is an event, by its number; a failed one has the time that Stripe gives. An order that is given up has the attempts in its
 * history that no earlier sync saw.
 */
function historyEventsOf(state: OrderState, finding: Finding | undefined): NewHistoryEvent[] {
  const failed = (finding?.failedAts ?? []).map((at, index) => ({
    what: "failed" as const,
    occurrence: occurrences.ofTry.write(index + 1),
    at,
  }));
  if (state === "failed" && failed.length > 0) return failed;
  if (isGivenUp(state)) return [...failed, { what: state }];
  return [{ what: state, occurrence: occurrences.ofTry.write(finding?.attempts ?? 0) }];
}

/** These are reached once, whatever the number of attempts. */
function isGivenUp(state: OrderState): boolean {
  return state === "cancelled" || state === "expired";
}

function found({ askedAt, failedAts: _failedAts, ...facts }: Finding) {
  return { ...facts, syncedAt: askedAt, unconfirmedUntil: afterDraft };
}

/** A draft waits for the answer to its own charge. If Stripe has an object of it, that answer is no longer missing. */
const afterDraft = sql<number | null>`iif(${orders.state} = 'draft', null, ${orders.unconfirmedUntil})`;

/**
 * Marks an order as possibly paid until Stripe answers a request made at `until` or later: one order, if `state` matches when given, or
 * all that the account could have paid.
 */
export function changeToUnconfirmed(
  db: Database,
  { accountId, orderId, until, state }: { accountId: AccountId; orderId?: OrderId; until: number; state?: OrderState },
) {
  const isMeant =
    orderId === undefined
      ? inArray(orders.state, [...openStates])
      : and(eq(orders.id, orderId), state && eq(orders.state, state));
  // The checkout of a new plan's draft was never shown.
  const wasNeverPayable = sql`${orders.state} = 'draft' and ${orders.kind} = 'new-plan'`;
  return db
    .update(orders)
    .set({ unconfirmedUntil: sql`max(coalesce(${orders.unconfirmedUntil}, 0), ${until})` })
    .where(
      and(
        eq(orders.accountId, accountId),
        isMeant,
        inArray(orders.state, confirmableStates),
        sql`not (${wasNeverPayable})`,
      ),
    );
}

/** Stripe answered a request made at `askedAt`. */
export function confirmOrders(db: Database, accountId: AccountId, askedAt: number) {
  return db
    .update(orders)
    .set({ unconfirmedUntil: null })
    .where(and(eq(orders.accountId, accountId), lte(orders.unconfirmedUntil, askedAt)));
}

/** No later answer about this customer was written. The order alone can't tell: a later answer that changed nothing left no trace there. */
export function askedLast({ askedAt }: { askedAt: number }) {
  return sql`not exists (
    select 1 from ${customers} where ${customers.accountId} = ${orders.accountId} and ${customers.syncedAt} > ${askedAt})`;
}

/** The order was paid at some time, in any state now: the guard of an email about a refund. */
export function orderWasPaid(id: OrderId) {
  return sql`exists (select 1 from ${orders} where id = ${id} and paid_at is not null)`;
}

/** The order is in this state: the guard of the email about it. */
export function orderIs(id: OrderId, state: OrderState) {
  return sql`exists (select 1 from ${orders} where id = ${id} and state = ${state})`;
}
