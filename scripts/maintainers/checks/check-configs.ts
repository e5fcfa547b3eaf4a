/**
 * `npm run check:configs`: does every valid config work? For each config of tests/configs/factors.ts, in which every pair of
 * settings occurs: a build, and the smoke suite on it. `-- own` tries app/product/config.ts alone, and `-- 3 7` those two.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { configs } from "#tests/configs/factors.ts";
import { configSource, copyRepository } from "./repository-copy.ts";

type Tried = { name: string; source: string };

const places = ["app/product/config.ts", "tests/support/products/fixed-product.config.ts"];
const own: Tried = { name: "own", source: readFileSync("app/product/config.ts", "utf8") };
const generated = configs.map(({ name, config }): Tried => ({ name, source: configSource(config) }));

const wanted = process.argv.slice(2);
const tried = [own, ...generated].filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => isMeant(word, name)),
);
const folder = copyRepository("configs");
const failed = tried.filter((each) => !passes(each));
console.log(`${tried.length - failed.length} of ${tried.length} configs passed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function isMeant(word: string, name: string): boolean {
  const [number = ""] = name.split(" ");
  return word === name || Number(word) === Number(number);
}

/** Replaces the team's config, and the test product, with which the tests' Worker is built. */
function passes({ name, source }: Tried): boolean {
  const startedAt = Date.now();
  for (const path of places) writeFileSync(join(folder, path), source);
  const error = run("vitest", ["run", "--project", "http", "tests/http/site/smoke.test.ts"]);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(format("%s  %s s  %s", error === null ? "ok    " : "FAILED", seconds, name));
  if (error !== null) console.log(error);
  return error === null;
}

/** The output, if it failed. */
function run(command: string, args: string[]): string | null {
  // A separate run: its results aren't counted with the tests that started it, and it has its own product.
  const env = { ...process.env, FOYER_TEST_REPORTS: "", FOYER_PRODUCT: "", NODE_OPTIONS: "" };
  const { status, stdout, stderr } = spawnSync(join("node_modules/.bin", command), args, {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return status === 0 ? null : `${command} ${args.join(" ")}\n${stdout}${stderr}`;
}
