import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { alteredBuild } from "./altered-build.ts";

/** Workers of `bench/` that are put in front of the built site, whose `index.js` they import. */
type Front = "counting" | "without-stand-ins";

/** A copy of the build with one of them in front, and the name of its entry. The caller removes the folder. */
export function buildBehind(front: Front): { folder: string; entry: string } {
  const entry = `${front}.js`;
  const folder = alteredBuild((config, server) => {
    writeFileSync(join(server, entry), stripTypeScriptTypes(readFileSync(`bench/${front}.ts`, "utf8")));
    config.main = entry;
    config.rules = [{ type: "ESModule", globs: ["index.js", entry, "assets/*.js"] }];
  });
  return { folder, entry };
}
