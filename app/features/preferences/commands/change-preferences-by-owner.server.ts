import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { differing, type Preferences, preferencesOf } from "../preferences.rules.ts";
import { changePreferences, findPreferences, readPreferences, type StoredPreferences } from "../queries.server.ts";

/**
 * Stores the preferences a user chose. The form contains the version it was rendered with, so that a change made elsewhere since is
 * detected: the user is shown the present values, unless they are the same as chosen.
 */
export async function changePreferencesByOwner(
  app: Pick<App, "db" | "clock" | "product">,
  accountId: AccountId,
  chosen: Preferences,
  seenVersion: number | null,
): Promise<Result<null, { reason: "changed-elsewhere"; current: StoredPreferences }>> {
  const { db, product } = app;
  const version = seenVersion ?? readPreferences(await findPreferences(db, accountId)).version;
  const { written, rows } = await batchNamed(db, {
    written: changePreferences(db, { accountId, chosen, version, deviceId: null, now: app.clock() }),
    rows: findPreferences(db, accountId),
  });
  const current = readPreferences(rows);
  const isStored = written.meta.changes === 1 || differing(preferencesOf(product), chosen, current.chosen).length === 0;
  return isStored ? done(null) : refused({ reason: "changed-elsewhere", current });
}
