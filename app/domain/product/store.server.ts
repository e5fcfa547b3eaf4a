import { eq, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/client.server.ts";
import { preferences } from "#app/db/schema.ts";
import type { Preferences } from "./preferences.rules.ts";

export type StoredPreferences = { chosen: Preferences; version: number; updatedAt: number | null };

/** What an account chose, and the version to send along with a change. Version 0: never chose anything. */
export async function findPreferences(db: Database, accountId: string): Promise<StoredPreferences> {
  const [row] = await db.select().from(preferences).where(eq(preferences.accountId, accountId));
  if (!row) return { chosen: {}, version: 0, updatedAt: null };
  // Written by `changePreferences` alone.
  return { chosen: JSON.parse(row.chosen) as Preferences, version: row.version, updatedAt: row.updatedAt };
}

/** Stores the choice if the stored version is still `version`: an update in between is not overwritten. */
export function changePreferences(db: Database, accountId: string, chosen: Preferences, version: number, now: number) {
  return statement(
    db,
    sql`
    insert into ${preferences} (account_id, chosen, version, updated_at)
    select ${accountId}, ${JSON.stringify(chosen)}, ${version + 1}, ${now}
    where ${version} = coalesce((select version from ${preferences} where account_id = ${accountId}), 0)
    on conflict (account_id) do update set chosen = excluded.chosen, version = excluded.version, updated_at = excluded.updated_at
      where ${preferences}.version = ${version}`,
  );
}
