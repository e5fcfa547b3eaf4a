import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { build } from "vite";
import { applyMigrations } from "../../../scripts/site/apply-migrations.ts";

/** The Stripe emulator as it is, or with its traffic recorded for the contract with the SDK's types. */
export type EmulatorKind = "plain" | "recording";

const cache = resolve("node_modules/.cache/foyer-tests");
const emulatorEntries: Record<EmulatorKind, string> = {
  plain: createRequire(import.meta.url).resolve("stripe-emulator/worker"),
  recording: "tests/stripe/contract/recording-worker.ts",
};
const emulatorSources = [
  "node_modules/stripe-emulator/dist/**/*.js",
  "tests/stripe/contract/recording*.ts",
  "package-lock.json",
];

/** The folder of a migrated, empty database: each site of the tests starts with a copy. */
export function migratedDatabase(): Promise<string> {
  return prepared("database", ["drizzle/*.sql"], async (to) => {
    const modules = [{ type: "ESModule" as const, path: "/worker.js", contents: "export default {}" }];
    const worker = { modules, modulesRoot: "/", compatibilityDate: "2026-10-23", d1Databases: { DB: "DB" } };
    const runtime = new Miniflare(convertV4MiniflareOptions({ ...worker, cf: false, resourcePersistencePath: to }));
    await applyMigrations(await runtime.getD1Database("DB"));
    await runtime.dispose();
    for (const file of globSync(join(to, "d1/*/*.sqlite"))) {
      const database = new DatabaseSync(file);
      database.exec("pragma wal_checkpoint(truncate)");
      database.close();
    }
  });
}

/** The emulator's Worker as one module. */
export function bundledEmulator(kind: EmulatorKind): Promise<string> {
  return prepared(`emulator-${kind}`, emulatorSources, async (to) => {
    await build({
      configFile: false,
      logLevel: "error",
      publicDir: false,
      ssr: { noExternal: true, target: "webworker" },
      build: {
        ssr: emulatorEntries[kind],
        outDir: to,
        rolldownOptions: {
          external: [/^node:/, /^cloudflare:/],
          output: { codeSplitting: false, entryFileNames: "emulator.js" },
        },
      },
    });
  }).then((folder) => join(folder, "emulator.js"));
}

/** Makes a folder once for the content of its sources. Several processes may do it at the same time: the first one's is used. */
async function prepared(name: string, sources: string[], make: (to: string) => Promise<unknown>): Promise<string> {
  const hash = createHash("sha256");
  for (const file of globSync(sources).toSorted()) hash.update(file).update(readFileSync(file));
  const folder = join(cache, `${name}-${hash.digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    await make(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
