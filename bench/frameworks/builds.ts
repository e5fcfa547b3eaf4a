import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a bench starts and reads of a build: the Worker, its entry and the files for browsers. */
export type FrameworkBuild = { server: string; entry: string; client: string };

const sources = "bench/frameworks";
/** Outside of `bench`: the tests of the architecture read every file there. */
const folder = ".frameworks";
const pageFiles = ["orders-page.ts", "orders-table.tsx"];

export function buildTanstackStart(): FrameworkBuild {
  const app = installAndBuild("tanstack-start");
  return { server: join(app, "dist/server"), entry: "index.js", client: join(app, "dist/client") };
}

export function buildSveltekit(): FrameworkBuild {
  const app = installAndBuild("sveltekit");
  const server = join(app, "dist");
  // wrangler bundles the Worker without a configuration beside it.
  const { name, compatibility_date, compatibility_flags, d1_databases } = JSON.parse(
    readFileSync(join(app, "wrangler.json"), "utf8"),
  ) as Record<string, unknown>;
  const config = { name, main: "_worker.js", compatibility_date, compatibility_flags, d1_databases };
  writeFileSync(join(server, "wrangler.json"), JSON.stringify(config));
  return { server, entry: "_worker.js", client: join(app, ".svelte-kit/cloudflare") };
}

/** In a copy, whose packages are installed once per lockfile. Returns its folder; throws what npm prints. */
function installAndBuild(name: string): string {
  const app = join(folder, name);
  const installed = join(app, "node_modules/.installed-lockfile.json");
  const lockfile = readFileSync(join(sources, name, "package-lock.json"), "utf8");
  mkdirSync(folder, { recursive: true });
  for (const path of [name, ...pageFiles]) cpSync(join(sources, path), join(folder, path), { recursive: true });
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== lockfile) {
    npm(app, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    writeFileSync(installed, lockfile);
  }
  npm(app, ["run", "build"]);
  return app;
}

function npm(cwd: string, parameters: string[]): void {
  const env = { ...process.env, NODE_ENV: undefined, CI: "1", WRANGLER_SEND_METRICS: "false" };
  execFileSync("npm", parameters, { cwd, env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
}
