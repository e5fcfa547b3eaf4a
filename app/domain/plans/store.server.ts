import { desc, eq, lte } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { customers, subscriptions } from "#app/db/schema.ts";
import { runningSubscription, type Subscription, type SubscriptionState } from "./rules.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

export function findCustomer(db: Database, accountId: string) {
  return db.select().from(customers).where(eq(customers.accountId, accountId));
}

export function findCustomerByProviderId(db: Database, providerId: string) {
  return db.select().from(customers).where(eq(customers.providerId, providerId));
}

export function listSubscriptions(db: Database, accountId: string) {
  return db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.accountId, accountId))
    .orderBy(desc(subscriptions.startedAt))
    .limit(20);
}

export function readSubscription(row: typeof subscriptions.$inferSelect): Subscription {
  // The table's CHECKs hold both.
  return { ...row, state: row.state as SubscriptionState, interval: row.interval as Subscription["interval"] };
}

/** Which plan an account is on, by the subscription that keeps one; null: Free. */
export async function findRunningSubscription(db: Database, accountId: string): Promise<Subscription | null> {
  return runningSubscription((await listSubscriptions(db, accountId)).map(readSubscription));
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

/** One customer per account; a second answer of the provider for the same account changes nothing. */
export function addCustomer(db: Database, customer: { accountId: string; providerId: string; now: number }) {
  return db
    .insert(customers)
    .values({ accountId: customer.accountId, providerId: customer.providerId, createdAt: customer.now })
    .onConflictDoNothing();
}

/** Writes what the provider said at `syncedAt`; an answer that was fetched earlier never overwrites a later one. */
export function changeSubscription(db: Database, accountId: string, subscription: Subscription, syncedAt: number) {
  const row = { ...subscription, accountId, syncedAt };
  return db
    .insert(subscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: {
        state: row.state,
        planId: row.planId,
        interval: row.interval,
        amountMinor: row.amountMinor,
        currency: row.currency,
        cardBrand: row.cardBrand,
        cardLast4: row.cardLast4,
        cardExpires: row.cardExpires,
        periodEndsAt: row.periodEndsAt,
        cancelsAt: row.cancelsAt,
        pastDueSince: row.pastDueSince,
        endedAt: row.endedAt,
        syncedAt,
      },
      setWhere: lte(subscriptions.syncedAt, syncedAt),
    });
}
