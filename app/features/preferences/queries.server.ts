import type { AccountId, DeviceId } from "#app/core/id.ts";
import { desc, eq, type SQL, sql } from "drizzle-orm";
import { prepared } from "#app/db/prepared.server.ts";
import { type Database, statement } from "#app/db/database.server.ts";
import { devices, shownDeviceName } from "#app/features/devices/schema.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { preferences } from "./schema.ts";
import type { Preferences } from "./preferences.rules.ts";

/** `version` is 0 until something is chosen. */
export type StoredPreferences = {
  chosen: Preferences;
  version: number;
  updatedAt: number | null;
  /**
   * Null unless devices have changed something since the owner last saved. `before` has the values before that; `device` is null once its
   * row is removed.
   */
  byDevices: { before: Preferences; device: string | null } | null;
};

/** An account's stored values, and the version to send along with a change; for `readPreferences`. */
export function findPreferences(db: Database, account: AccountId | SQL) {
  return db
    .select({ stored: preferences, device: sql<string | null>`${shownDeviceName}`.as("shown_name") })
    .from(preferences)
    .leftJoin(devices, eq(devices.id, preferences.changedBy))
    .where(eq(preferences.accountId, account));
}

/** The plans that decide what the account can choose. */
export function listPlans(db: Database, account: SQL) {
  return db
    .select()
    .from(subscriptions)
    .where(sql`${subscriptions.accountId} = ${account}`)
    .orderBy(desc(subscriptions.startedAt))
    .limit(20);
}

/** Like `findPreferences`, for the owner's page. */
export const findOwnPreferences = prepared((db: Database, account: AccountId) => findPreferences(db, account));

export function readPreferences([row]: Awaited<ReturnType<typeof findPreferences>>): StoredPreferences {
  if (!row) return { chosen: {}, version: 0, updatedAt: null, byDevices: null };
  const { chosen, version, updatedAt, beforeDevices } = row.stored;
  return {
    chosen,
    version,
    updatedAt,
    byDevices: beforeDevices === null ? null : { before: beforeDevices, device: row.device },
  };
}

/** `deviceId` is null if the owner made the change, on the page. */
type Change = { accountId: AccountId; chosen: Preferences; version: number; deviceId: DeviceId | null; now: number };

/** Stores the choice if the stored version is still `version` and `guard` holds: an update in between is not overwritten. */
export function changePreferences(
  db: Database,
  { accountId, chosen, version, deviceId, now }: Change,
  guard: SQL = sql`true`,
) {
  const before = sql`${preferences}.before_devices`;
  return statement(
    db,
    sql`
    insert into ${preferences} (account_id, chosen, version, updated_at, changed_by, before_devices)
    select ${accountId}, ${JSON.stringify(chosen)}, ${version + 1}, ${now}, ${deviceId}, ${deviceId === null ? null : "{}"}
    where ${version} = coalesce((select version from ${preferences} where account_id = ${accountId}), 0) and ${guard}
    on conflict (account_id) do update set
      before_devices = iif(excluded.changed_by is null, null, coalesce(${before}, ${preferences}.chosen)),
      chosen = excluded.chosen, version = excluded.version, updated_at = excluded.updated_at, changed_by = excluded.changed_by
      where ${preferences}.version = ${version}`,
  );
}

// Export --------------------------------------------------------------------------------------------------------------

export function listOwnPreferences(db: Database, accountId: AccountId) {
  const { chosen, beforeDevices, version, updatedAt, changedBy } = preferences;
  return db
    .select({ chosen, beforeDevices, version, updatedAt, changedBy })
    .from(preferences)
    .where(eq(preferences.accountId, accountId));
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

export function removePreferences(db: Database, accountId: AccountId, guard: SQL) {
  return statement(db, sql`delete from ${preferences} where account_id = ${accountId} and ${guard}`);
}
