import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import {
  findOwnPreferences,
  readPreferences,
  type StoredPreferences,
} from "#app/features/preferences/queries.server.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";

/** What an account has chosen, and its plans, which decide what it can choose. */
export async function readOwnPreferences(
  { db }: Pick<App, "db">,
  accountId: AccountId,
): Promise<{ stored: StoredPreferences; subscriptions: Subscription[] }> {
  const { preferences, subscriptions } = await batchNamed(db, {
    preferences: findOwnPreferences(db, accountId),
    subscriptions: listSubscriptions(db, accountId),
  });
  return { stored: readPreferences(preferences), subscriptions };
}
