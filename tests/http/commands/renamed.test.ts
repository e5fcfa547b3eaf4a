import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyRenamed } from "../../../scripts/maintainers/checks/repository-copy.ts";

/**
 * A team's first hour: another product in the folder app/product, and the rest unchanged. A short version runs here;
 * all suites run with `npm run check:rename`.
 */
test("a site with another product in app/product, from its name to its landing page, still type-checks, passes its rules, builds and sells", () => {
  const cwd = copyRenamed("journey");
  // A separate run, whose results aren't counted with this one's.
  const env = { ...process.env, FOYER_TEST_REPORTS: "" };
  const run = (command: string, args: string[]) => {
    const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, args, { cwd, env, encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  };
  run("react-router", ["typegen"]);
  run("tsc", ["--noEmit"]);
  run("vitest", ["run", "--project", "unit", "tests/architecture/product"]);
  run("vitest", ["run", "--project", "http", "tests/http/site/journey.test.ts"]);
  const worker = globSync("build/server/**/*.js", { cwd }).map((file) => readFileSync(join(cwd, file), "utf8"));
  for (const text of ["Lanterns are lit again", "shines again", "On the air while you sleep", "House rules"])
    expect(worker.filter((code) => code.includes(text))).toHaveLength(1);
  const styles = globSync("build/client/assets/*.css", { cwd }).map((file) => readFileSync(join(cwd, file), "utf8"));
  expect(styles.filter((style) => style.includes(".station-mast"))).toHaveLength(1);
  expect(styles.filter((style) => style.includes(".laptop"))).toEqual([]);
}, 900_000);
