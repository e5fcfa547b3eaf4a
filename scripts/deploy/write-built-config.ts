import { readFileSync, writeFileSync } from "node:fs";
import { configFor, type Target } from "./target.ts";
import { addressOf } from "./problems.ts";

const folder = "build/server";

/** The built configuration for a target, beside the build itself, which is the same for all. Returns its path. */
export function writeBuiltConfig(target: Target, vars: Record<string, unknown>): string {
  const built = configFor(JSON.parse(readFileSync(`${folder}/wrangler.json`, "utf8")), target);
  const file = `${folder}/wrangler.${target.kind}.json`;
  writeFileSync(file, JSON.stringify({ ...built, vars, ...addressOf(built, String(vars.PUBLIC_ORIGIN)) }));
  return file;
}
