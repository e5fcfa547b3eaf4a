import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
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

/** All orders of an account, newest first, by cursor. */
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

/** For the sweep: accounts with a purchase that has been quiet for a while, and may have missed an event. */
export function listOverduePurchases(db: Database, quietSince: number, limit: number) {
  const asked = openStates.filter((state) => state !== "draft");
  return db
    .selectDistinct({ accountId: orders.accountId, updatedAt: orders.updatedAt })
    .from(orders)
    .where(and(inArray(orders.state, asked), lt(orders.updatedAt, quietSince)))
    .orderBy(asc(orders.updatedAt))
    .limit(limit);
}

/** It was asked about, whatever came of it: the sweep turns to others first. */
export function touchPurchases(db: Database, accountId: string, now: number) {
  return db
    .update(orders)
    .set({ updatedAt: now })
    .where(and(eq(orders.accountId, accountId), inArray(orders.state, [...openStates])));
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

/** What a sync found out about an order's checkout, and when it asked. */
export type Finding = { checkoutId: string; checkoutUrl: string | null; askedAt: number };

/** Moves an order, from the states that lead there and from no other; by a finding only if none asked later has. */
export function changeOrderState(
  db: Database,
  id: string,
  change: { to: Exclude<OrderState, "paid">; failure: string | null; finding?: Finding },
  now: number,
) {
  const { to, failure, finding } = change;
  return [
    db
      .update(orders)
      .set({ state: to, failure, updatedAt: now, ...(finding && found(finding)) })
      .where(and(eq(orders.id, id), inArray(orders.state, statesBefore(to)), finding && askedLast(finding))),
    addMoment(db, id, to, now),
  ] as const;
}

/** It stands as it stood; what the checkout says of itself may be new (its page is gone once it is complete). */
export function confirmOrderState(db: Database, id: string, state: OrderState, finding: Finding, now: number) {
  return db
    .update(orders)
    .set({ updatedAt: now, ...found(finding) })
    .where(and(eq(orders.id, id), eq(orders.state, state), askedLast(finding)));
}

function found({ checkoutId, checkoutUrl, askedAt }: Finding) {
  return { checkoutId, checkoutUrl, syncedAt: askedAt };
}

function askedLast({ askedAt }: Finding) {
  return or(isNull(orders.syncedAt), lte(orders.syncedAt, askedAt));
}

/** For the sweep: drafts whose checkout never opened. */
export function expireDrafts(db: Database, now: number) {
  return db
    .update(orders)
    .set({ state: "expired", updatedAt: now })
    .where(and(eq(orders.state, "draft"), lt(orders.expiresAt, now)));
}

/** The order stands in this state: for the mail that tells of it. */
export function orderIs(id: string, state: OrderState) {
  return sql`exists (select 1 from ${orders} where id = ${id} and state = ${state})`;
}
