import type { App } from "#app/context.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import type { Preferences } from "./preferences.rules.ts";
import { changePreferences, findPreferences } from "./store.server.ts";

/** Stores what a person chose. With the version of the page they saw, a change made elsewhere since is not lost. */
export async function savePreferences(
  app: Pick<App, "db" | "clock">,
  accountId: string,
  chosen: Preferences,
  seenVersion: number | null,
): Promise<Result<{ version: number }, { reason: "changed-elsewhere" }>> {
  const version = seenVersion ?? (await findPreferences(app.db, accountId)).version;
  const written = await changePreferences(app.db, accountId, chosen, version, app.clock());
  return written.meta.changes === 1 ? done({ version: version + 1 }) : refused({ reason: "changed-elsewhere" });
}
