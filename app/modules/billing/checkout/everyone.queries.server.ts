/** Statements that range over all accounts, for the cron job, operators and limits of the whole site. */
import { and, eq, exists, inArray, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { orders } from "#app/modules/billing/orders/schema.ts";
import { keepsPlan, subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { payableStates } from "#app/modules/billing/orders/states.rules.ts";

/**
 * For the cron job: closed accounts that have a running plan or an open payment because a payment arrived late. In random order, so that
 * one that can't be ended now doesn't delay the others.
 */
export function listStillBilled(db: Database, limit: number) {
  const running = sql<number>`exists (
    select 1 from ${subscriptions} where account_id = ${accounts}.id and ${keepsPlan(subscriptions.state)})`;
  const isOpen = and(eq(orders.accountId, accounts.id), inArray(orders.state, payableStates));
  return db
    .select({ id: accounts.id, hasPlan: running })
    .from(accounts)
    .where(
      and(
        eq(accounts.state, "closed"),
        or(
          running,
          exists(
            db
              .select({ one: sql`1` })
              .from(orders)
              .where(isOpen),
          ),
        ),
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit);
}
