import type { AccountId } from "#app/core/id.ts";
import { eq } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { customers } from "#app/modules/billing/subscriptions/schema.ts";

/** Stored before the sync, so that the next run starts with other customers even if this one fails. */
export function changePolledAt(db: Database, accountId: AccountId, now: number) {
  return db.update(customers).set({ askedAt: now }).where(eq(customers.accountId, accountId));
}
