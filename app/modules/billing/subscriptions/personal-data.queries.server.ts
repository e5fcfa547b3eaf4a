import type { AccountId } from "#app/core/id.ts";
import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { cancellationReasons, customers, subscriptions } from "./schema.ts";

// Export --------------------------------------------------------------------------------------------------------------

export function listOwnCustomers(db: Database, accountId: AccountId) {
  const { providerId, createdAt, creditMinor } = customers;
  return db
    .select({ id: providerId, createdAt, creditMinor })
    .from(customers)
    .where(eq(customers.accountId, accountId));
}

export function listOwnSubscriptions(db: Database, accountId: AccountId) {
  const { accountId: owner, syncedAt: _syncedAt, ...facts } = getTableColumns(subscriptions);
  return db.select(facts).from(subscriptions).where(eq(owner, accountId)).orderBy(facts.startedAt);
}

export function listOwnReasons(db: Database, accountId: AccountId) {
  const { accountId: owner, ...facts } = getTableColumns(cancellationReasons);
  return db.select(facts).from(cancellationReasons).where(eq(owner, accountId)).orderBy(facts.givenAt);
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

export function removeCustomer(db: Database, accountId: AccountId, guard: SQL) {
  return statement(db, sql`delete from ${customers} where account_id = ${accountId} and ${guard}`);
}

/**
 * What was sold, its price and its dates stay, since orders refer to them. The card and the owner's own words about a cancellation are
 * removed, and nothing is running any more.
 */
export function eraseSubscriptions(db: Database, accountId: AccountId, now: number, guard: SQL) {
  const erased = sql`
    update ${subscriptions} set state = 'ended', ended_at = coalesce(ended_at, ${now}),
      card_brand = null, card_last4 = null, card_expires = null,
      pending_plan_id = null, pending_interval = null, pending_at = null, pending_minor = null,
      collection = 'automatic', pause_cause = null, coming_minor = null, coming_at = null, renewal_minor = null
    where account_id = ${accountId} and ${guard}`;
  const reasons = sql`update ${cancellationReasons} set comment = null where account_id = ${accountId} and ${guard}`;
  return [statement(db, erased), statement(db, reasons)];
}
