import { join } from "node:path";
import { getPlatformProxy } from "wrangler";
import { applyMigrations, OldDatabase } from "./apply-migrations.ts";

/**
 * Brings the database of local runs up to date. `wrangler d1 migrations apply --local` leads to the same rows, but starts a
 * runtime for each migration: half a minute for thirty.
 */
export async function migrateLocal(persistTo: string): Promise<void> {
  const { WRANGLER_LOG } = process.env;
  // Otherwise wrangler names the file of secrets at each start.
  process.env.WRANGLER_LOG ??= "warn";
  // `--persist-to` of wrangler's commands names the folder above.
  const persist = { path: join(persistTo, "v3") };
  const { env, dispose } = await getPlatformProxy<Env>({ configPath: "wrangler.toml", persist, remoteBindings: false });
  try {
    await applyMigrations(env.DB);
  } catch (error) {
    if (error instanceof OldDatabase) error.message += ` It can't be migrated. Make it again: rm -r ${persistTo}`;
    throw error;
  } finally {
    await dispose();
    // Restores it for what this process starts later.
    if (WRANGLER_LOG === undefined) delete process.env.WRANGLER_LOG;
  }
}
