/** The conditions on an order's state in SQL, and the statements that change it. */
import type { CheckoutId, InvoiceId } from "#app/core/stripe/ids.ts";
import type { AccountId, OrderId } from "#app/core/id.ts";
import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { literals } from "#app/db/one-of.ts";
import { openDisputes } from "#app/core/stripe/states.ts";
import { customers } from "#app/modules/billing/subscriptions/schema.ts";
import { addHistoryEvent, type NewHistoryEvent } from "./history-events.queries.server.ts";
import { occurrences } from "./history-events.rules.ts";
import { orders } from "./schema.ts";
import {
  confirmableStates,
  isGivenUp,
  mismatches,
  openStates,
  type OrderFailure,
  type OrderState,
  orderStatesBefore,
  paidStates,
} from "./states.rules.ts";

// Conditions ----------------------------------------------------------------------------------------------------------

export const isOpenOrder = sql<boolean>`${orders.state} in ${literals(openStates)}`;

/** Paid at some time. */
export const isPaidOrder = sql<boolean>`${orders.state} in ${literals(paidStates)}`;

/** The words of the partial index `orders_disputed`. */
export const isDisputedOrder = sql<boolean>`${orders.dispute} in ${literals(openDisputes)}`;

/** Something else was paid than was asked for. The words of the partial index `orders_mismatched`. */
export const isMismatchedOrder = sql<boolean>`${orders.failure} in ${literals(mismatches)}`;

/** As `isRefundOwed` says. */
export const isOwedRefund = sql<boolean>`(${orders.failure} = 'mismatch-refunded' and ${orders.state} <> 'refunded'
  and ${orders.dispute} <> 'lost')`;

/** The account's one open purchase or change. The words of the partial UNIQUE index `orders_one_open`. */
export function idOfOpenChoice(accountId: AccountId): SQL {
  return sql`select id from ${orders} where account_id = ${accountId} and kind <> 'renewal' and state in ${literals(openStates)}`;
}

/** The account has paid before, even if it was refunded since. */
export function hasPaid(accountId: AccountId): SQL {
  return sql`exists (select 1 from ${orders} where account_id = ${accountId} and paid_at is not null and amount_minor > 0)`;
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

// Transitions ---------------------------------------------------------------------------------------------------------

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
  const from = change.from ?? orderStatesBefore(to);
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
  const isMeant = orderId === undefined ? isOpenOrder : and(eq(orders.id, orderId), state && eq(orders.state, state));
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
