import type { AccountId, DeviceId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import {
  type Preferences,
  preferencesOf,
  preferencesOn,
  withDefaults,
} from "#app/features/preferences/preferences.rules.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import type { Preference } from "../preferences.rules.ts";
import { findPreferences, listPlans, readPreferences } from "#app/features/preferences/queries.server.ts";
import { accountOfDevice, changeLastSeen } from "#app/features/devices/queries.server.ts";

/** The present preferences of all devices of an account. */
export type PresentPreferences = {
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
    read: listPreferenceRows(db, deviceId),
  });
  return presentOf(product, read);
}

/** The queries whose rows tell the preferences, for the batch that runs them. */
export function listPreferenceRows(db: App["db"], deviceId: DeviceId) {
  const account = accountOfDevice(deviceId);
  return [findAccount(db, account), findPreferences(db, account), listPlans(db, account)] as const;
}

type Read = readonly [
  Awaited<ReturnType<typeof findAccount>>,
  Awaited<ReturnType<typeof findPreferences>>,
  Awaited<ReturnType<typeof listPlans>>,
];

export function presentOf(product: App["product"], [[account], rows, subscriptions]: Read): PresentPreferences | null {
  if (!account) return null;
  const { chosen, version } = readPreferences(rows);
  const running = runningSubscription(subscriptions);
  const schema = preferencesOn(preferencesOf(product), planInForce(product, running?.planId));
  return { accountId: account.id, chosen, version, values: withDefaults(schema, chosen), schema };
}
