import { and, eq, inArray, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { customers } from "#app/modules/subscriptions/schema.ts";
import { orderMoments, orders } from "./schema.ts";
import { openStates, type OrderState, statesBefore } from "./rules.ts";
import { confirmableStates } from "./unconfirmed.rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/** What is noted of money that went back, order by order. */
export function listMoneyBackMoments(db: Database, accountId: string) {
  return db
    .select({ orderId: orderMoments.orderId, what: orderMoments.what, cause: orderMoments.cause })
    .from(orderMoments)
    .innerJoin(orders, and(eq(orders.id, orderMoments.orderId), eq(orders.accountId, accountId)))
    .where(
      inArray(orderMoments.what, [
        "refund",
        "friend-discount",
        "refund-failed",
        "dispute",
        "dispute-won",
        "dispute-lost",
      ]),
    );
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

type Moment = { what: string; cause?: string; amountMinor?: number; at?: number };

/** Notes what happened to an order, once per cause, when `guard` holds: it stands in the state of that name, if nothing else is said. */
export function addMoment(db: Database, orderId: string, moment: Moment, now: number, guard?: SQL) {
  const { what, cause = "", amountMinor = null, at = now } = moment;
  return statement(
    db,
    sql`
    insert into ${orderMoments} (order_id, what, cause, amount_minor, happened_at)
    select id, ${what}, ${cause}, ${amountMinor}, ${at} from ${orders}
    where id = ${orderId} and ${guard ?? sql`state = ${what}`}
    on conflict do nothing`,
  );
}

/** Of money that came in: whatever went back of it since. */
export function addMomentOfPaid(db: Database, orderId: string, moment: Moment, now: number) {
  return addMoment(db, orderId, moment, now, sql`paid_at is not null`);
}

/** What a sync found out about an order at the provider, and when it asked. */
export type Finding = {
  checkoutId: string | null;
  /** Where it can be paid. */
  checkoutUrl: string | null;
  invoiceId: string | null;
  attempts: number;
  nextTryAt: number | null;
  /** When tries that failed were made, oldest first: those that somebody asked for among them, which `attempts` doesn't count. */
  failedAts: number[];
  askedAt: number;
};

/** Moves an order, from the states that lead there and from no other; by a finding only if none asked later has. */
export function changeOrderState(
  db: Database,
  id: string,
  change: {
    to: Exclude<OrderState, "paid">;
    /** Where not all states that lead there are meant. */
    from?: readonly OrderState[];
    failure: string | null;
    finding?: Finding;
  },
  now: number,
) {
  const { to, failure, finding } = change;
  const from = change.from ?? statesBefore(to);
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
    ...momentsOf(to, finding).map((moment) => addMoment(db, id, moment, now)),
  ] as const;
}

/** It stands as it stood; what the provider says of it beside that may be new (another try that failed, a page that is gone). */
export function confirmOrderState(
  db: Database,
  id: string,
  { state, failure, finding }: { state: OrderState; failure: string | null; finding: Finding },
  now: number,
) {
  return [
    db
      .update(orders)
      .set({ failure, updatedAt: now, ...found(finding) })
      .where(and(eq(orders.id, id), eq(orders.state, state), askedLast(finding))),
    ...momentsOf(state, finding).map((moment) => addMoment(db, id, moment, now)),
  ] as const;
}

/** Each try is a moment of its own, by its number; one that failed was when the provider made it. */
function momentsOf(state: OrderState, finding: Finding | undefined): Moment[] {
  const cause = (tryNumber: number) => (tryNumber > 1 ? String(tryNumber) : "");
  if (state !== "failed" || !finding || finding.failedAts.length === 0) {
    return [{ what: state, cause: cause(finding?.attempts ?? 0) }];
  }
  return finding.failedAts.map((at, index) => ({ what: state, cause: cause(index + 1), at }));
}

function found({ askedAt, failedAts: _failedAts, ...facts }: Finding) {
  return { ...facts, syncedAt: askedAt, unconfirmedUntil: afterDraft };
}

/** A draft waits for the answer to its own charge. Where the provider has something of it, that answer is no longer missing. */
const afterDraft = sql<number | null>`iif(${orders.state} = 'draft', null, ${orders.unconfirmedUntil})`;

/**
 * Notes that something may have been paid that isn't known here, until the provider answers what is asked at `until` or later. Of one order,
 * as long as it is in `state` if one is named, or of all that an account could have paid for.
 */
export function markUnconfirmed(
  db: Database,
  { accountId, orderId, until, state }: { accountId: string; orderId?: string; until: number; state?: OrderState },
) {
  const isMeant =
    orderId === undefined
      ? inArray(orders.state, [...openStates])
      : and(eq(orders.id, orderId), state && eq(orders.state, state));
  // The checkout of a new plan's draft was never shown to anybody.
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

/** The provider has answered what was asked at `askedAt`. */
export function confirmOrders(db: Database, accountId: string, askedAt: number) {
  return db
    .update(orders)
    .set({ unconfirmedUntil: null })
    .where(and(eq(orders.accountId, accountId), lte(orders.unconfirmedUntil, askedAt)));
}

/**
 * No later answer about this customer was written. An order by itself can't tell: where the later answer found nothing to change, it
 * left no trace there.
 */
export function askedLast({ askedAt }: { askedAt: number }) {
  return sql`not exists (
    select 1 from ${customers} where ${customers.accountId} = ${orders.accountId} and ${customers.syncedAt} > ${askedAt})`;
}

/** Somebody has to look at it before anything is granted. */
export function markMismatch(db: Database, id: string, askedAt: number, now: number) {
  const isUnmarked = sql`${orders.failure} is not 'mismatch'`;
  return db
    .update(orders)
    .set({ failure: "mismatch", updatedAt: now })
    .where(and(eq(orders.id, id), isNull(orders.paidAt), isUnmarked, askedLast({ askedAt })));
}

/** For the sweep: drafts whose checkout never opened, each with its line in the timeline. */
export function expireDrafts(db: Database, now: number) {
  const isOver = and(eq(orders.state, "draft"), lt(orders.expiresAt, now));
  return [
    statement(
      db,
      sql`
      insert into ${orderMoments} (order_id, what, happened_at) select id, 'expired', ${now} from ${orders} where ${isOver}
      on conflict do nothing`,
    ),
    db.update(orders).set({ state: "expired", updatedAt: now }).where(isOver),
  ] as const;
}

/** The order was paid, whatever became of it: for the mail that tells of money that went back. */
export function orderWasPaid(id: string) {
  return sql`exists (select 1 from ${orders} where id = ${id} and paid_at is not null)`;
}

/** The order stands in this state: for the mail that tells of it. */
export function orderIs(id: string, state: OrderState) {
  return sql`exists (select 1 from ${orders} where id = ${id} and state = ${state})`;
}
