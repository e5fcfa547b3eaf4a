import { and, desc, eq, gt, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { orderLines, orderMoments, orders } from "#app/db/schema.ts";
import {
  type BilledTo,
  type Order,
  type OrderKind,
  type OrderState,
  openStates,
  pageSize,
  statesBefore,
} from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function findOrder(db: Database, id: string, accountId: string) {
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.accountId, accountId)));
}

/** Any order of an account that was ever paid: whether the next one is the first. */
export function findPaidOrder(db: Database, accountId: string) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.paidAt)))
    .limit(1);
}

export function findNewestOrder(db: Database, accountId: string, since: number) {
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), gt(orders.createdAt, since)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(1);
}

/** The open purchase of an account: a UNIQUE index holds that there is at most one. */
export function findOpenPurchase(db: Database, accountId: string) {
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.kind, "new-plan"), inArray(orders.state, [...openStates])));
}

/** What a person sees as orders: everything but choices that never reached a payment. Newest first, by cursor. */
export function listOrders(db: Database, accountId: string, after: { createdAt: number; id: string } | null) {
  const beyond = after
    ? or(lt(orders.createdAt, after.createdAt), and(eq(orders.createdAt, after.createdAt), lt(orders.id, after.id)))
    : undefined;
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), beyond))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(pageSize + 1);
}

export function listLines(db: Database, orderId: string) {
  return db.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(orderLines.position);
}

export function listMoments(db: Database, orderId: string) {
  return db
    .select({ what: orderMoments.what, happenedAt: orderMoments.happenedAt })
    .from(orderMoments)
    .where(eq(orderMoments.orderId, orderId))
    .orderBy(orderMoments.happenedAt);
}

/** For the sweep: accounts whose open purchase has been quiet for a while, and may have missed an event. */
export function listOverduePurchases(db: Database, quietSince: number, limit: number) {
  return db
    .selectDistinct({ accountId: orders.accountId })
    .from(orders)
    .where(and(inArray(orders.state, [...openStates]), lt(orders.updatedAt, quietSince)))
    .limit(limit);
}

export function readOrder(row: typeof orders.$inferSelect): Order {
  return {
    ...row,
    // The table's CHECKs hold these three; `billedTo` is written by `payOrder` alone.
    state: row.state as OrderState,
    kind: row.kind as OrderKind,
    interval: row.interval as Order["interval"],
    billedTo: row.billedTo === null ? null : (JSON.parse(row.billedTo) as BilledTo),
  };
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

export type NewPurchase = Pick<
  Order,
  "id" | "accountId" | "planId" | "interval" | "currency" | "amountMinor" | "discountMinor"
> & {
  now: number;
  expiresAt: number;
};

/** Begins a purchase unless one is open: of two clicks, one writes and both find the same row. */
export function addPurchase(db: Database, purchase: NewPurchase) {
  const { now, ...facts } = purchase;
  return [
    db
      .insert(orders)
      .values({ ...facts, state: "draft", kind: "new-plan", createdAt: now, updatedAt: now })
      .onConflictDoNothing(),
    addMoment(db, purchase.id, "draft", now),
  ] as const;
}

/** Notes what happened to an order, once, when the order exists in that state (or has just been begun). */
export function addMoment(db: Database, orderId: string, what: string, now: number) {
  return statement(
    db,
    sql`
    insert into ${orderMoments} (order_id, what, happened_at)
    select id, ${what}, ${now} from ${orders} where id = ${orderId} and state = ${what}
    on conflict do nothing`,
  );
}

/** Ties the checkout to its order: it is pending from now on. */
export function openOrder(
  db: Database,
  id: string,
  checkout: { id: string; url: string | null; expiresAt: number },
  now: number,
) {
  return [
    db
      .update(orders)
      .set({
        state: "pending",
        checkoutId: checkout.id,
        checkoutUrl: checkout.url,
        expiresAt: checkout.expiresAt,
        updatedAt: now,
      })
      .where(and(eq(orders.id, id), eq(orders.state, "draft"))),
    addMoment(db, id, "pending", now),
  ] as const;
}

/** Moves an order, from the states that lead there and from no other. */
export function changeOrderState(
  db: Database,
  id: string,
  to: Exclude<OrderState, "paid">,
  failure: string | null,
  now: number,
) {
  return [
    db
      .update(orders)
      .set({ state: to, failure, updatedAt: now })
      .where(and(eq(orders.id, id), inArray(orders.state, statesBefore(to)))),
    addMoment(db, id, to, now),
  ] as const;
}

/** For the sweep: drafts whose checkout never opened. */
export function expireDrafts(db: Database, now: number) {
  return db
    .update(orders)
    .set({ state: "expired", updatedAt: now })
    .where(and(eq(orders.state, "draft"), lt(orders.expiresAt, now)));
}

/** Nothing new was heard, but it was asked: the sweep waits again. */
export function touchOrder(db: Database, id: string, now: number) {
  return db.update(orders).set({ updatedAt: now }).where(eq(orders.id, id));
}

/** The order stands in this state: for the mail that tells of it. */
export function orderIs(id: string, state: OrderState) {
  return sql`exists (select 1 from ${orders} where id = ${id} and state = ${state})`;
}
