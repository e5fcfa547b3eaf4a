import type { AccountId, DeviceId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { runningSubscription } from "#app/modules/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/subscriptions/queries.server.ts";
import {
  mergedPreferences,
  type Preferences,
  preferencesOn,
  withDefaults,
} from "#app/modules/catalogue/preferences.rules.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import type { Preference } from "#app/modules/catalogue/rules.ts";
import { changePreferences, findPreferences, readPreferences } from "#app/modules/catalogue/queries.server.ts";
import { accountOfDevice, changeLastSeen, deviceIsActive } from "#app/modules/devices/queries.server.ts";

/** The present preferences of all devices of an account. */
type PresentPreferences = {
  accountId: AccountId;
  chosen: Preferences;
  version: number;
  values: Preferences;
  schema: Preference[];
};

/** The preferences for a device, in one round trip, which also updates its last use; null if the device isn't active. */
export async function findDevicePreferences(
  { db, clock, product }: Pick<App, "db" | "clock" | "product">,
  deviceId: DeviceId,
): Promise<PresentPreferences | null> {
  const { read } = await batchNamed(db, {
    lastSeen: changeLastSeen(db, deviceId, clock()),
    read: readers(db, deviceId),
  });
  return presentOf(product, read);
}

/**
 * Stores what a device changed, unless the version differs from the one it has `seen`. One round trip; nothing is written without a
 * change.
 */
export async function changePreferencesByDevice(
  { db, clock, product }: Pick<App, "db" | "clock" | "product">,
  deviceId: DeviceId,
  seen: PresentPreferences,
  sent: Preferences,
): Promise<
  Result<
    PresentPreferences,
    { reason: "device-unknown" } | { reason: "changed-elsewhere"; current: PresentPreferences }
  >
> {
  const { accountId, version } = seen;
  const chosen = mergedPreferences(seen.schema, seen.chosen, sent);
  if (JSON.stringify(chosen) === JSON.stringify(seen.chosen)) return done(seen);
  const change = { accountId, chosen, version, deviceId, now: clock() };
  const { written, read } = await batchNamed(db, {
    written: changePreferences(db, change, deviceIsActive(deviceId)),
    read: readers(db, deviceId),
  });
  const current = presentOf(product, read);
  if (!current) return refused({ reason: "device-unknown" });
  return written.meta.changes === 1 ? done(current) : refused({ reason: "changed-elsewhere", current });
}

function readers(db: App["db"], deviceId: DeviceId) {
  const account = accountOfDevice(deviceId);
  return [findAccount(db, account), findPreferences(db, account), listSubscriptions(db, account)] as const;
}

type Read = readonly [
  Awaited<ReturnType<typeof findAccount>>,
  Awaited<ReturnType<typeof findPreferences>>,
  Awaited<ReturnType<typeof listSubscriptions>>,
];

function presentOf(product: App["product"], [[account], rows, subscriptions]: Read): PresentPreferences | null {
  if (!account) return null;
  const { chosen, version } = readPreferences(rows);
  const running = runningSubscription(subscriptions);
  const schema = preferencesOn(product.preferences, planInForce(product, running?.planId));
  return { accountId: account.id, chosen, version, values: withDefaults(schema, chosen), schema };
}
