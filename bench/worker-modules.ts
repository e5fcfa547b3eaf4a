import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { build } from "vite";
import { modulesIn } from "#tests/support/site/built-site.ts";

/** Code by name, with the entry first. */
export type WorkerModules = ReadonlyMap<string, string>;

/** A Worker in one file, bundled and minified like the site. */
export async function bundleWorker(entry: string): Promise<WorkerModules> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    ssr: { target: "webworker", noExternal: true },
    build: { ssr: entry, write: false, minify: true, rolldownOptions: { external: /^(node|cloudflare):/ } },
  });
  const [output] = [built].flat();
  if (output === undefined || !("output" in output)) throw new Error(`${entry} could not be bundled`);
  return new Map(output.output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file.code] as const] : [])));
}

/** The site as it would be deployed; rebuilt when a source is newer. */
export function builtSite(): WorkerModules {
  execFileSync("node", ["scripts/site/build.ts", "--if-stale"], { stdio: ["ignore", "ignore", "inherit"] });
  const folder = "build/server";
  return new Map(modulesIn(folder).map(({ path, contents }) => [relative(folder, path), contents]));
}
