import { and, eq, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { orders, subscriptions } from "#app/db/schema.ts";
import type { Order } from "./rules.ts";
import { addMoment } from "./store.server.ts";

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

export type NewPurchase = Pick<
  Order,
  "id" | "accountId" | "planId" | "interval" | "currency" | "amountMinor" | "discountMinor"
> & {
  now: number;
  expiresAt: number;
};

/** Begins a purchase unless one is open or a plan runs: of two clicks, one writes and both find the same row. */
export function addPurchase(db: Database, purchase: NewPurchase) {
  const { id, accountId, planId, interval, currency, amountMinor, discountMinor, now, expiresAt } = purchase;
  return [
    statement(
      db,
      sql`
      insert into ${orders} (id, account_id, state, kind, plan_id, interval, currency, amount_minor, discount_minor,
        created_at, expires_at, updated_at)
      select ${id}, ${accountId}, 'draft', 'new-plan', ${planId}, ${interval}, ${currency}, ${amountMinor},
        ${discountMinor}, ${now}, ${expiresAt}, ${now}
      where not exists (
        select 1 from ${subscriptions} where account_id = ${accountId} and state not in ('ended', 'incomplete'))
      on conflict do nothing`,
    ),
    addMoment(db, id, "draft", now),
  ] as const;
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
