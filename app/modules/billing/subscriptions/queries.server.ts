import type { CustomerId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { and, desc, eq, getTableColumns, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { customers, subscriptions } from "./schema.ts";
import { keepingStates, runningSubscription, type Subscription } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

export const findCustomer = prepared((db: Database, accountId: AccountId) =>
  db.select().from(customers).where(eq(customers.accountId, accountId)),
);

export function findCustomerByProviderId(db: Database, providerId: CustomerId) {
  return db.select().from(customers).where(eq(customers.providerId, providerId));
}

export const listSubscriptions = prepared((db: Database, accountId: AccountId) =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.accountId, accountId))
    .orderBy(desc(subscriptions.startedAt))
    .limit(20),
);

/** The plan that a subscription keeps, of an account or of one that SQL finds; no row means the free plan. */
export function findRunningPlan(db: Database, account: AccountId | SQL) {
  return db
    .select({ planId: subscriptions.planId })
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, account), inArray(subscriptions.state, keepingStates)));
}

/** The subscription that keeps the account's plan. Null means the free plan. */
export async function findRunningSubscription(db: Database, accountId: AccountId): Promise<Subscription | null> {
  return runningSubscription(await listSubscriptions(db, accountId));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

/** One customer per account; Stripe's repeated answer for the same account changes nothing. */
export function addCustomer(
  db: Database,
  customer: { accountId: AccountId; providerId: CustomerId; areMethodsHashed: boolean; now: number },
) {
  const { areMethodsHashed, now } = customer;
  return (
    db
      .insert(customers)
      // A new customer has no earlier payment methods, and every sync stores the new ones, if they are compared at all.
      .values({ ...customer, createdAt: now, askedAt: now, methodsHashedAt: areMethodsHashed ? now : null })
      .onConflictDoNothing()
      .returning({ providerId: customers.providerId })
  );
}

/** Replaces a customer deleted at Stripe, and everything stored about it. */
export function replaceCustomer(
  db: Database,
  accountId: AccountId,
  { instead, providerId }: { instead: CustomerId | null; providerId: CustomerId },
) {
  return db
    .update(customers)
    .set({ providerId, creditMinor: 0, syncedAt: 0 })
    .where(and(eq(customers.accountId, accountId), sql`${customers.providerId} = ${instead}`));
}

/** Writes what Stripe said at `syncedAt`; an earlier answer never overwrites a later one. */
export function changeSubscription(db: Database, accountId: AccountId, subscription: Subscription, syncedAt: number) {
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
        endsByNotice: row.endsByNotice,
        pendingPlanId: row.pendingPlanId,
        pendingInterval: row.pendingInterval,
        pendingAt: row.pendingAt,
        pendingMinor: row.pendingMinor,
        pastDueSince: row.pastDueSince,
        endedAt: row.endedAt,
        collection: row.collection,
        comingMinor: row.comingMinor,
        comingAt: row.comingAt,
        renewalMinor: row.renewalMinor,
        trialEndsAt: row.trialEndsAt,
        pauseCause: row.pauseCause,
        endCause: row.endCause,
        refundOwedMinor: row.refundOwedMinor,
        syncedAt,
      },
      setWhere: lte(subscriptions.syncedAt, syncedAt),
    });
}

/** Writes one step of a subscription before the rest of the row. Of several syncs that see the step, one writes it and sends its email. */
export function writeStep(
  db: Database,
  { id, from, to }: { id: SubscriptionId; from: Partial<Subscription>; to: Partial<Subscription> },
  syncedAt: number,
) {
  const columns = getTableColumns(subscriptions);
  const isUnchanged = typedKeys(from).map((name) => sql`${columns[name]} is ${from[name]}`);
  return db
    .update(subscriptions)
    .set(to)
    .where(and(eq(subscriptions.id, id), lte(subscriptions.syncedAt, syncedAt), ...isUnchanged));
}

function typedKeys(part: Partial<Subscription>) {
  // `Object.keys` forgets their type.
  return Object.keys(part) as (keyof Subscription)[];
}

/** Stores the credit for the next charges; an earlier answer never overwrites a later one. */
export function changeCredit(
  db: Database,
  accountId: AccountId,
  creditMinor: number,
  at: { syncedAt: number; now: number },
) {
  const { syncedAt, now } = at;
  return db
    .update(customers)
    .set({ creditMinor, syncedAt, askedAt: now })
    .where(and(eq(customers.accountId, accountId), lte(customers.syncedAt, syncedAt)));
}

/** The payment methods of these accounts' customers are to be hashed again, if they are ever compared. */
export function changeToUnhashed(db: Database, owners: SQL) {
  return db
    .update(customers)
    .set({ methodsHashedAt: null })
    .where(sql`${customers.accountId} in ${owners}`);
}

export function changeMethodsHashed(db: Database, accountId: AccountId, now: number) {
  return db.update(customers).set({ methodsHashedAt: now }).where(eq(customers.accountId, accountId));
}

/** Stored before the sync, so that the next run starts with other customers even if this one fails. */
export function changePolledAt(db: Database, accountId: AccountId, now: number) {
  return db.update(customers).set({ askedAt: now }).where(eq(customers.accountId, accountId));
}

/** Whether the plan still renews after this period, as the guard of the email about its next charge. */
export function stillRenews({ id, periodEndsAt }: { id: SubscriptionId; periodEndsAt: number }): SQL {
  return sql`exists (select 1 from ${subscriptions} where id = ${id} and state = 'active'
    and (cancels_at is null or cancels_at > period_ends_at) and collection = 'automatic' and period_ends_at = ${periodEndsAt})`;
}
