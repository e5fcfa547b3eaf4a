/** `npm run dev`: the same site with hot reload, on the same port. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { product } from "#app/product/config.ts";
import { runSite } from "./run-site.ts";
import { readSiteOptions } from "./site-options.ts";

const options = readSiteOptions();
// The development server has no --var, so the values are written to a separate `.dev.vars` (see vite.config.ts).
const folder = mkdtempSync(join(tmpdir(), "foyer-dev-"));
const lines = Object.entries(options.vars).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
writeFileSync(join(folder, ".dev.vars"), lines.join("\n"));
// Not of the own product: when its segment is changed, the routes change at once.
const segment = process.env.FOYER_PRODUCT && { FOYER_SEGMENT: product.segment };
await runSite(options, {
  command: "react-router",
  args: ["dev", "--port", String(options.port), "--strictPort"],
  env: { FOYER_DEV_VARS_FOLDER: folder, FOYER_PERSIST_TO: options.persistTo, ...segment },
});
