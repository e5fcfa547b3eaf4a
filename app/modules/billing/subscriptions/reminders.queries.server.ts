import type { SubscriptionId } from "#app/core/stripe/ids.ts";
import { type SQL, sql } from "drizzle-orm";
import { subscriptions } from "./schema.ts";

/** Whether the plan still renews after this period, as the guard of the email about its next charge. */
export function stillRenews({ id, periodEndsAt }: { id: SubscriptionId; periodEndsAt: number }): SQL {
  return sql`exists (select 1 from ${subscriptions} where id = ${id} and state = 'active'
    and (cancels_at is null or cancels_at > period_ends_at) and collection = 'automatic' and period_ends_at = ${periodEndsAt})`;
}
