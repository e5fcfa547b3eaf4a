/**
 * Builds the site. With --if-stale, only when a source is newer than the last build: wrangler runs this before it serves or deploys,
 * since the built configuration names this script as its build command.
 */
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { strictTransport } from "#app/modules/catalogue/https-only.rules.ts";
import { product } from "#app/product/config.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { run } from "../run.ts";

const built = "build/server/wrangler.json";
/** Leads wrangler to the build: without it, wrangler bundles the sources, which never ends. People delete its folder to start over. */
const builtLink = ".wrangler/deploy/config.json";
// Notes which product was built: the tests' own build must never be served as the site.
const productFile = process.env.FOYER_PRODUCT ?? "app/product/config.ts";
const builtProductFile = "build/product.txt";
const headersFile = "build/client/_headers";
const sources = [
  "app",
  "drizzle",
  "public",
  "workers",
  "scripts/site",
  "package-lock.json",
  "react-router.config.ts",
  "vite.config.ts",
  "wrangler.toml",
  ".dev.vars",
  productFile,
];

ensureDevVars();
if (!process.argv.includes("--if-stale") || newestChange(sources) > builtAt() || builtProduct() !== productFile) {
  const startedAt = new Date();
  console.log("Building the site …");
  process.stdout.write(
    await run("react-router", ["build"], { env: { NODE_ENV: "production", FOYER_SEGMENT: product.segment } }),
  );
  // Static files get the same header as pages, since a browser applies the newest one from a host. It goes into the first block: of two
  // blocks with the same path, only the last counts.
  const headers = readFileSync(headersFile, "utf8");
  writeFileSync(
    headersFile,
    headers.replace(/^\/\*\n/, `$&  Strict-Transport-Security: ${strictTransport(product)}\n`),
  );
  const config = JSON.parse(readFileSync(built, "utf8"));
  // Includes only the build itself: a running wrangler stores copies in a folder below this one.
  config.rules = [{ type: "ESModule", globs: ["index.js", "assets/*.js"] }];
  config.build = { command: "node scripts/site/build.ts --if-stale", cwd: ".", watch_dir: ["app", "workers"] };
  writeFileSync(built, JSON.stringify(config));
  writeFileSync(builtProductFile, productFile);
  // Dates the build to its start, so that a source edited during the build is newer.
  utimesSync(built, startedAt, startedAt);
}

function builtProduct(): string | null {
  try {
    return readFileSync(builtProductFile, "utf8");
  } catch {
    return null;
  }
}

function builtAt(): number {
  try {
    return existsSync(builtLink) ? statSync(built).mtimeMs : 0;
  } catch {
    return 0;
  }
}

function newestChange(paths: string[]): number {
  let newest = 0;
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) continue;
    const inside = found.isDirectory()
      ? newestChange(
          readdirSync(path)
            // The Stripe emulator isn't part of the build, and wrangler writes into its folder whenever it runs.
            .filter((name) => name !== "stripe-emulator")
            .map((name) => `${path}/${name}`),
        )
      : 0;
    newest = Math.max(newest, found.mtimeMs, inside);
  }
  return newest;
}
