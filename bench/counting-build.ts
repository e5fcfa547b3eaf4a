import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { alteredBuild } from "./altered-build.ts";

/** A statement that D1 ran, with the rows it read and wrote. `trip`: the round trip it was part of. */
export type CountedStatement = { query: string; read: number; written: number; trip: number };

export const countingEntry = "counting.js";

/** A copy of the build with the counting Worker in front; the caller removes it. */
export function buildCounting(): string {
  return alteredBuild((config, server) => {
    writeFileSync(join(server, countingEntry), stripTypeScriptTypes(readFileSync("bench/counting.ts", "utf8")));
    config.main = countingEntry;
    config.rules = [{ type: "ESModule", globs: ["index.js", countingEntry, "assets/*.js"] }];
  });
}
