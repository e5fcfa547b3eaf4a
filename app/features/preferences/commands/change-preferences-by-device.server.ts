import type { DeviceId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { mergedPreferences, type Preferences } from "#app/features/preferences/preferences.rules.ts";
import { changePreferences } from "#app/features/preferences/queries.server.ts";
import { deviceIsActive } from "#app/features/devices/queries.server.ts";
import { listPreferenceRows, presentOf, type PresentPreferences } from "../reads/find-device-preferences.server.ts";

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
    read: listPreferenceRows(db, deviceId),
  });
  const current = presentOf(product, read);
  if (!current) return refused({ reason: "device-unknown" });
  return written.meta.changes === 1 ? done(current) : refused({ reason: "changed-elsewhere", current });
}
