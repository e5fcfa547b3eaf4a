/** Whether there is a build of the site, made of the sources as they are. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

export const built = "build/server/wrangler.json";
/** Leads wrangler to the build: without it, wrangler bundles the sources, which never ends. People delete its folder to start over. */
const builtLink = ".wrangler/deploy/config.json";
// Notes which product was built: the tests' own build must never be served as the site.
export const productFile = process.env.FOYER_PRODUCT ?? "app/product/config.ts";
export const builtProductFile = "build/product.txt";
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

export function isBuildStale(): boolean {
  return newestChange(sources) > builtAt() || builtProduct() !== productFile;
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
    const inside = found.isDirectory() ? newestChange(readdirSync(path).map((name) => `${path}/${name}`)) : 0;
    newest = Math.max(newest, found.mtimeMs, inside);
  }
  return newest;
}
