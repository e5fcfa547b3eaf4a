import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyMigrations, OldDatabase } from "./apply-migrations.ts";
import { DamagedDatabase, findDamaged, saysDamaged } from "./damaged-database.ts";

/**
 * Brings the database of local runs up to date. `wrangler d1 migrations apply --local` leads to the same rows, but starts a
 * runtime for each migration: half a minute for thirty. Where a note beside the database says that it is, none is started.
 */
export async function migrateLocal(persistTo: string): Promise<void> {
  // `--persist-to` of wrangler's commands names the folder above.
  const folder = join(persistTo, "v3");
  const note = join(folder, "d1", "migrated.sha256");
  if (isMigrated(folder, note)) return;
  // Looked at first, since the runtime doesn't start with such a file.
  const damaged = findDamaged(persistTo);
  if (damaged) throw new DamagedDatabase(damaged, persistTo);
  const { WRANGLER_LOG } = process.env;
  // Otherwise wrangler names the file of secrets at each start.
  process.env.WRANGLER_LOG ??= "warn";
  // Loaded here, since loading it takes as long as a site needs to start.
  const { getPlatformProxy } = await import("wrangler");
  const persist = { path: folder };
  const { env, dispose } = await getPlatformProxy<Env>({ configPath: "wrangler.toml", persist, remoteBindings: false });
  try {
    await applyMigrations(env.DB);
    writeFileSync(note, migrationsHash());
  } catch (error) {
    if (saysDamaged(error)) throw new DamagedDatabase(persist.path, persistTo);
    if (error instanceof OldDatabase) error.message += ` It can't be migrated. Make it again: rm -r ${persistTo}`;
    throw error;
  } finally {
    await dispose();
    // Restores it for what this process starts later.
    if (WRANGLER_LOG === undefined) delete process.env.WRANGLER_LOG;
  }
}

/** Not if the file is damaged, which the runtime says better. */
function isMigrated(folder: string, note: string): boolean {
  try {
    return (
      readFileSync(note, "utf8") === migrationsHash() && globSync(join(folder, "d1/*/*.sqlite")).some(hasMigrations)
    );
  } catch {
    return false;
  }
}

function hasMigrations(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const table = database.prepare("select name from sqlite_master where name = 'd1_migrations'").get();
    return table !== undefined && database.prepare("select name from d1_migrations").all().length > 0;
  } finally {
    database.close();
  }
}

/** Of the migrations, and of wrangler.toml, whose names say which file is the database. */
function migrationsHash(): string {
  const hash = createHash("sha256");
  for (const file of ["wrangler.toml", ...globSync("drizzle/*.sql").toSorted()])
    hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}
