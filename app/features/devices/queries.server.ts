import type { AccountId, DeviceId } from "#app/core/id.ts";
import { and, asc, desc, eq, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "#app/db/database.server.ts";
import { prepared } from "#app/db/prepared.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { keepingStates, type SubscriptionState } from "#app/modules/billing/subscriptions/rules.ts";
import { subscriptions } from "#app/modules/billing/subscriptions/schema.ts";
import { devices, licenceKeys, seatReductions, shownDeviceName } from "./schema.ts";
import { activationsPerSeat, activationWindowMs, lastSeenUpdateIntervalMs } from "./rules.ts";

// Reads ---------------------------------------------------------------------------------------------------------------

/**
 * The account of an active device; null if it was removed, or its account is closed or erased. Used within the statements of a call, so
 * that authentication costs no extra round trip.
 */
export function accountOfDevice(deviceId: DeviceId): SQL<string | null> {
  return sql`(
    select d.account_id from ${devices} d join ${accounts} a on a.id = d.account_id
    where d.id = ${deviceId} and d.state = 'active' and a.state = 'active')`;
}

export function deviceIsActive(deviceId: DeviceId): SQL {
  return isNotNull(accountOfDevice(deviceId));
}

/** How many there are, and when those beyond the plan are removed. */
export function countDevices(db: Database, accountId: AccountId) {
  const reduction = sql`(select releases_at from ${seatReductions} where account_id = ${accountId})`;
  return db
    .select({
      used: sql<number>`count(*)`.as("used"),
      reducedAt: sql<number | null>`${reduction}`.as("reduced_at"),
    })
    .from(devices)
    .where(and(eq(devices.accountId, accountId), eq(devices.state, "active")));
}

/** The ids of an account's removed devices. */
export function removedDevices(account: AccountId | SQL<string | null>): SQL {
  return sql`(select id from ${devices} where account_id = ${account} and state = 'removed')`;
}

/** The account of any device, removed or not. */
export function ownerOfDevice(id: string): SQL {
  return sql`(select account_id from ${devices} where id = ${id})`;
}

/** Null if it was removed. */
export async function findActiveDevice(db: Database, deviceId: DeviceId): Promise<{ id: DeviceId } | null> {
  const [row] = await db.all<{ isActive: number }>(sql`select ${deviceIsActive(deviceId)} as "isActive"`);
  return row?.isActive === 1 ? { id: deviceId } : null;
}

/**
 * How to find an account's plan: which subscription states keep one, and the seats of each plan. A subscription to a plan that the
 * catalogue doesn't know isn't the free plan. If `free` is null, there is no plan without a subscription, and no device can be added.
 */
export type Seats = {
  keepingStates: readonly SubscriptionState[];
  ofPlan: Record<string, number>;
  ofUnknownPlan: number;
  free: number | null;
};

const seatsUsed = sql<number>`(
  select count(*) from ${devices} d where d.account_id = ${accounts.id} and d.state = 'active')`;

const deviceFacts = {
  // Aliased: D1's batch returns objects, in which two columns of one name overwrite each other.
  accountId: sql<AccountId>`${accounts.id}`.as("account_id"),
  deviceId: devices.id,
  lastSeenAt: devices.lastSeenAt,
  planId: subscriptions.planId,
  subscriptionState: subscriptions.state,
  seatsUsed,
};

function runningPlan({ keepingStates }: Pick<Seats, "keepingStates">) {
  return and(eq(subscriptions.accountId, accounts.id), inArray(subscriptions.state, keepingStates));
}

/** Everything that decides what a device may do, in one read; no row for a device that isn't active. */
export const findDeviceFacts = prepared((db: Database, deviceId: DeviceId) =>
  db
    .select(deviceFacts)
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.accountId))
    .leftJoin(subscriptions, runningPlan({ keepingStates }))
    .where(and(eq(devices.id, deviceId), eq(devices.state, "active"), eq(accounts.state, "active"))),
);

/** Like `findDeviceFacts`, by licence key. The row has no device if the machine has no seat, and there is no row for an invalid key. */
export function findLicenceKeyFacts(db: Database, { keyHash, fingerprintHash }: Machine, seats: Seats) {
  return db
    .select(deviceFacts)
    .from(licenceKeys)
    .innerJoin(accounts, eq(accounts.id, licenceKeys.accountId))
    .leftJoin(subscriptions, runningPlan(seats))
    .leftJoin(
      devices,
      and(
        eq(devices.accountId, accounts.id),
        eq(devices.fingerprintHash, fingerprintHash),
        eq(devices.state, "active"),
      ),
    )
    .where(and(eq(licenceKeys.keyHash, keyHash), eq(accounts.state, "active")));
}

/** Recent activations of the key's account, including devices removed since; oldest first. */
export function listActivations(db: Database, keyHash: string, now: number) {
  return db
    .select({ at: devices.activatedAt })
    .from(devices)
    .innerJoin(licenceKeys, eq(licenceKeys.accountId, devices.accountId))
    .where(and(eq(licenceKeys.keyHash, keyHash), sql`${devices.activatedAt} > ${now - activationWindowMs}`))
    .orderBy(asc(devices.activatedAt));
}

export const listDevices = prepared((db: Database, accountId: AccountId) => {
  const { id, platform, activatedAt, lastSeenAt } = devices;
  return db
    .select({ id, name: shownDeviceName.as("shown_name"), ownName: devices.name, platform, activatedAt, lastSeenAt })
    .from(devices)
    .where(and(eq(devices.accountId, accountId), eq(devices.state, "active")))
    .orderBy(desc(devices.lastSeenAt), desc(devices.id))
    .limit(100);
});

/** All of an account's devices, last used first; surplus devices are at the end. */
export function listByUse(db: Database, accountId: AccountId) {
  return db
    .select({ id: devices.id, name: shownDeviceName.as("shown_name") })
    .from(devices)
    .where(and(eq(devices.accountId, accountId), eq(devices.state, "active")))
    .orderBy(desc(devices.lastSeenAt), desc(devices.id));
}

// Writes: statements that a command runs in one batch -----------------------------------------------------------------

type Machine = { keyHash: string; fingerprintHash: string };

type NewDevice = Machine & { id: DeviceId; name: string; platform: string; now: number };

/**
 * Gives the machine a seat of the key's account, if one is free and the activation limit allows it; a machine with a seat keeps it and
 * updates its own name, not the one that its owner gave it. One statement, so that the last seat is given once.
 */
export function addDevice(db: Database, device: NewDevice, { keepingStates, ofPlan, ofUnknownPlan, free }: Seats) {
  const { now } = device;
  const own = sql`from ${devices} d where d.account_id = k.account_id`;
  const seats = sql`coalesce((
    select coalesce(seat.value, ${ofUnknownPlan}) from ${subscriptions} s left join json_each(${JSON.stringify(ofPlan)}) seat on seat.key = s.plan_id
    where s.account_id = k.account_id and s.state in (select value from json_each(${JSON.stringify(keepingStates)}))), ${free})`;
  return statement(
    db,
    sql`
    insert into ${devices} (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
    select ${device.id}, k.account_id, 'active', ${device.fingerprintHash}, ${device.name}, ${device.platform}, ${now}, ${now}
    from ${licenceKeys} k join ${accounts} a on a.id = k.account_id
    where k.key_hash = ${device.keyHash} and a.state = 'active' and (
      exists (select 1 ${own} and d.state = 'active' and d.fingerprint_hash = ${device.fingerprintHash})
      or ((select count(*) ${own} and d.state = 'active') < ${seats}
        and (select count(*) ${own} and d.activated_at > ${now - activationWindowMs}) < ${activationsPerSeat} * ${seats}))
    on conflict (account_id, fingerprint_hash) where state = 'active' do update set
      name = excluded.name, platform = excluded.platform, last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
  );
}

/** The device exists: this attempt added it. */
export function deviceExists(deviceId: DeviceId): SQL {
  return sql`exists (select 1 from ${devices} where id = ${deviceId})`;
}

/** The owner or the name of any device, removed or not, for its activity-log row. */
export function factOfDevice(deviceId: DeviceId, fact: "accountId" | "name"): SQL<string> {
  const value = fact === "name" ? shownDeviceName : sql`${devices.accountId}`;
  return sql`(select ${value} from ${devices} where ${devices.id} = ${deviceId})`;
}

export function changeLastSeen(db: Database, deviceId: DeviceId, now: number) {
  return db
    .update(devices)
    .set({ lastSeenAt: now })
    .where(and(eq(devices.id, deviceId), lt(devices.lastSeenAt, now - lastSeenUpdateIntervalMs)));
}

/** Names an active device of this account, if `guard` holds. The machine's own name, or none, removes the given one. */
export function changeGivenName(
  db: Database,
  { id, accountId, name }: { id: DeviceId; accountId: AccountId; name: string },
  guard: SQL,
) {
  return db
    .update(devices)
    .set({ givenName: sql`nullif(nullif(${name}, ''), ${devices.name})` })
    .where(and(eq(devices.id, id), eq(devices.accountId, accountId), eq(devices.state, "active"), guard));
}

/** Removes an active device, if `guard` holds. If an account is given, the device has to be its own. */
export function changeToRemoved(
  db: Database,
  device: { id: DeviceId; accountId?: AccountId },
  now: number,
  guard: SQL,
) {
  const isOwn = device.accountId === undefined ? undefined : eq(devices.accountId, device.accountId);
  return db
    .update(devices)
    .set({ state: "removed", removedAt: now })
    .where(and(eq(devices.id, device.id), eq(devices.state, "active"), isOwn, guard));
}
