import type { CustomerId } from "#app/core/stripe/ids.ts";
import { eq, lte } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { unclaimedCustomers } from "./schema.ts";
import { unclaimedLookMs, type UnclaimedReason } from "./unclaimed-customers.rules.ts";

/** For the cron job: those that weren't looked at for `unclaimedLookMs`. */
export function listUnclaimedToLookAt(db: Database, now: number, limit: number) {
  const { providerId, lookedAt } = unclaimedCustomers;
  return db
    .select({ providerId })
    .from(unclaimedCustomers)
    .where(lte(lookedAt, now - unclaimedLookMs))
    .orderBy(lookedAt)
    .limit(limit);
}

type Unclaimed = { providerId: CustomerId; planId: string; reason: UnclaimedReason };

/** `foundAt` stays the time at which it was found first. */
export function changeUnclaimed(db: Database, unclaimed: Unclaimed, now: number) {
  const { planId, reason } = unclaimed;
  return db
    .insert(unclaimedCustomers)
    .values({ ...unclaimed, foundAt: now, lookedAt: now })
    .onConflictDoUpdate({ target: unclaimedCustomers.providerId, set: { planId, reason, lookedAt: now } });
}

export function removeUnclaimed(db: Database, providerId: CustomerId) {
  return db.delete(unclaimedCustomers).where(eq(unclaimedCustomers.providerId, providerId));
}
