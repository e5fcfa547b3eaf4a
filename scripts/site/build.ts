/**
 * Builds the site. With --if-stale, only when a source is newer than the last build: wrangler runs this before it serves or deploys,
 * since the built configuration names this script as its build command.
 */
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { strictTransport } from "#app/modules/catalogue/https-only.rules.ts";
import { product } from "#app/product/config.ts";
import { built, builtProductFile, isBuildStale, productFile } from "./build-age.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { run } from "../run.ts";

const headersFile = "build/client/_headers";

ensureDevVars();
if (!process.argv.includes("--if-stale") || isBuildStale()) {
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
