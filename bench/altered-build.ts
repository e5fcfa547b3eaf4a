import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The parts of a build's configuration that are changed. */
type BuiltConfig = { main: string; rules: object[]; observability?: object };

/** A copy of the build with another configuration; the caller removes it. */
export function alteredBuild(alter: (config: BuiltConfig, server: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "foyer-altered-"));
  cpSync("build", folder, { recursive: true, filter: (path) => !/\.wrangler|\.map$/.test(path) });
  const server = join(folder, "server");
  const path = join(server, "wrangler.json");
  // Our own build wrote this, from wrangler.toml.
  const config = JSON.parse(readFileSync(path, "utf8")) as BuiltConfig;
  alter(config, server);
  writeFileSync(path, JSON.stringify(config));
  return folder;
}
