import type { CheckoutId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { and, eq, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { exclusiveStates } from "#app/modules/billing/subscriptions/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { addHistoryEvent } from "#app/modules/billing/orders/history-events.queries.server.ts";

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type NewPurchase = Pick<
  Order,
  "id" | "accountId" | "planId" | "interval" | "currency" | "amountMinor" | "creditMinor"
> & {
  now: number;
  expiresAt: number;
};

/** A closed account can't buy, not even if it was closed during this request. */
const accountIsActive = (id: AccountId) =>
  sql`exists (select 1 from ${accounts} where id = ${id} and state = 'active')`;

/** Begins a purchase unless one is open or a plan runs: of two clicks one writes, and both find the same row. */
export function addPurchase(db: Database, purchase: NewPurchase) {
  const { id, accountId, planId, interval, currency, amountMinor, creditMinor } = purchase;
  const { now, expiresAt } = purchase;
  return [
    statement(
      db,
      sql`
      insert into ${orders} (id, account_id, state, kind, plan_id, interval, currency, amount_minor,
        credit_minor, created_at, expires_at, updated_at)
      select ${id}, ${accountId}, 'draft', 'new-plan', ${planId}, ${interval}, ${currency}, ${amountMinor},
        ${creditMinor}, ${now}, ${expiresAt}, ${now}
      where not exists (
        select 1 from ${subscriptions} where account_id = ${accountId} and (state in ${exclusiveStates} or pause_cause = 'disputed'))
        and ${accountIsActive(accountId)}
      on conflict do nothing`,
    ),
    addHistoryEvent(db, id, { what: "draft" }, now),
  ] as const;
}

/** Stores the checkout of an order, which is pending from now on. */
export function openOrder(
  db: Database,
  { id, accountId }: Pick<Order, "id" | "accountId">,
  checkout: { id: CheckoutId; url: string | null; expiresAt: number },
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
      .where(and(eq(orders.id, id), eq(orders.state, "draft"), accountIsActive(accountId))),
    addHistoryEvent(db, id, { what: "pending" }, now),
  ] as const;
}
