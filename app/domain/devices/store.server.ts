import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { accounts, devices } from "#app/db/schema.ts";

/** Readers ------------------------------------------------------------------------------------------------------------ */

/**
 * The account of a device that stands; null for one that was removed, or whose account is leaving or gone. It can stand in the
 * statements of a call, so that asking who calls costs no round trip of its own.
 */
export function accountOfDevice(deviceId: string): SQL<string | null> {
  return sql`(
    select d.account_id from ${devices} d join ${accounts} a on a.id = d.account_id
    where d.id = ${deviceId} and d.state = 'active' and a.state = 'active')`;
}

export function deviceStands(deviceId: string): SQL {
  return isNotNull(accountOfDevice(deviceId));
}

export async function isStandingDevice(db: Database, deviceId: string): Promise<boolean> {
  const [row] = await db.all<{ stands: number }>(sql`select ${deviceStands(deviceId)} as stands`);
  return row?.stands === 1;
}

/** Writers: prepared statements, run by an act in one batch ------------------------------------------------------------- */

export function changeToRemoved(db: Database, deviceId: string, now: number, guard: SQL) {
  return db
    .update(devices)
    .set({ state: "removed", removedAt: now })
    .where(and(eq(devices.id, deviceId), eq(devices.state, "active"), guard));
}
