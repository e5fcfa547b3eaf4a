import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { configFor, type Target } from "./target.ts";
import { addressOf } from "./problems.ts";

const folder = "build/server";

/**
 * Writes the built configuration for a target, beside the build itself, which is the same for all. Returns its path. Each process has a file
 * of its own until it ends: two deployments at once would otherwise go to the address of one.
 */
export function writeBuiltConfig(target: Target, vars: Record<string, unknown>): string {
  const built = configFor(JSON.parse(readFileSync(`${folder}/wrangler.json`, "utf8")), target);
  const file = `${folder}/wrangler.${target.kind}-${process.pid}.json`;
  process.once("exit", () => rmSync(file, { force: true }));
  writeFileSync(file, JSON.stringify({ ...built, vars, ...addressOf(built, String(vars.PUBLIC_ORIGIN)) }));
  return file;
}
