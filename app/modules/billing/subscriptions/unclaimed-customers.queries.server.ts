import type { AccountId } from "#app/core/id.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { unclaimedCustomers } from "./schema.ts";
import { type UnclaimedReason } from "./unclaimed-customers.rules.ts";

/** Those with an account's address, oldest first. */
export function listUnclaimedOf(db: Database, accountId: AccountId) {
  const { providerId, planId, reason, foundAt } = unclaimedCustomers;
  return db
    .select({ providerId, planId, reason, foundAt })
    .from(unclaimedCustomers)
    .where(eq(unclaimedCustomers.accountId, accountId))
    .orderBy(foundAt);
}

type Unclaimed = { providerId: CustomerId; planId: string; reason: UnclaimedReason; accountId: AccountId | null };

/** `foundAt` stays the time at which it was found first. */
export function changeUnclaimed(db: Database, unclaimed: Unclaimed, now: number) {
  const { providerId: _providerId, ...found } = unclaimed;
  return db
    .insert(unclaimedCustomers)
    .values({ ...unclaimed, foundAt: now, lookedAt: now })
    .onConflictDoUpdate({ target: unclaimedCustomers.providerId, set: { ...found, lookedAt: now } });
}

export function removeUnclaimed(db: Database, providerId: CustomerId) {
  return db.delete(unclaimedCustomers).where(eq(unclaimedCustomers.providerId, providerId));
}
