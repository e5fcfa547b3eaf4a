import type { AccountId } from "#app/core/id.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { listOwnUsage } from "#app/modules/billing/usage/personal-data.queries.server.ts";
import { devices, licenceKeys, seatReductions, shownDeviceName } from "./schema.ts";

// Export; without the key, which only its page shows ------------------------------------------------------------------

function listOwnLicenceKeys(db: Database, accountId: AccountId) {
  const { createdAt, rotatedAt } = licenceKeys;
  return db.select({ createdAt, rotatedAt }).from(licenceKeys).where(eq(licenceKeys.accountId, accountId));
}

export function listOwnDevices(db: Database, accountId: AccountId) {
  const { state, givenName, platform, activatedAt, lastSeenAt, removedAt } = devices;
  const name = shownDeviceName.as("shown_name");
  return db
    .select({ state, name, machineName: devices.name, givenName, platform, activatedAt, lastSeenAt, removedAt })
    .from(devices)
    .where(eq(devices.accountId, accountId))
    .orderBy(activatedAt);
}

function listOwnSeatReductions(db: Database, accountId: AccountId) {
  const { state, seats, announcedAt, releasesAt } = seatReductions;
  return db
    .select({ state, seats, announcedAt, releasesAt })
    .from(seatReductions)
    .where(eq(seatReductions.accountId, accountId));
}

export function ownRows(db: Database, accountId: AccountId) {
  return {
    licenceKeys: listOwnLicenceKeys(db, accountId),
    activated: listOwnDevices(db, accountId),
    usage: listOwnUsage(db, accountId),
    seatReductions: listOwnSeatReductions(db, accountId),
  };
}

// Erasure, if `guard` holds -------------------------------------------------------------------------------------------

export function removeDeviceRows(db: Database, accountId: AccountId, guard: SQL) {
  return [
    statement(db, sql`delete from ${seatReductions} where account_id = ${accountId} and ${guard}`),
    statement(db, sql`delete from ${devices} where account_id = ${accountId} and ${guard}`),
    statement(db, sql`delete from ${licenceKeys} where account_id = ${accountId} and ${guard}`),
  ];
}
