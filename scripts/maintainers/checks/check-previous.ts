/**
 * `npm run check:previous`: the release before this one keeps working when the database is already migrated, as happens briefly in each
 * deployment. That is the newest tag production-* before this commit, or the newest v* where there is none, from 0.2.0 on: earlier ones had databases that aren't kept. No
 * tag asks Cloudflare which one runs: after a rollback, or a deployment by hand, name it: `PREVIOUS=<commit>`, as the workflow does. Runs
 * its own test suites in a copy of the repository as it was then, with today's migrations.
 * Arguments after `--` are passed to vitest instead of the suites' names.
 */
import { cpSync, rmSync } from "node:fs";
import { copyOfThePast } from "./repository-copy.ts";
import { isReleased } from "../../migrations/is-released.ts";
import { run } from "../../run.ts";

const suites = ["--project", "integration", "--project", "http"];
const wanted = process.argv.slice(2);
/** Excluded: the test that compares the schema with the database, which now has more; and the tests that make a copy of the copy. */
const aboutOtherThings = ["tests/integration/database/database.test.ts", "tests/http/commands/renamed.test.ts"];

const base = await findBase();
if (base === null || !isReleased(await versionAt(base))) {
  console.log("Nothing to check: releases are checked from 0.2.0 on, and there is no earlier one.");
  process.exit();
}
const added = await run("git", ["diff", "--name-only", "--diff-filter=A", base, "--", "drizzle/*.sql"]);
if (added.trim() === "") {
  console.log(`No migration was added since ${base}.`);
  process.exit();
}
const today = process.cwd();
const folder = copyOfThePast("previous", base);
rmSync(`${folder}/drizzle`, { recursive: true });
cpSync(`${today}/drizzle`, `${folder}/drizzle`, { recursive: true });
process.chdir(folder);
try {
  await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"]);
  const excluded = aboutOtherThings.flatMap((file) => ["--exclude", file]);
  await run(`${folder}/node_modules/.bin/vitest`, ["run", ...excluded, ...(wanted.length > 0 ? wanted : suites)], {
    quiet: false,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function findBase(): Promise<string | null> {
  const { PREVIOUS: named } = process.env;
  if (named) {
    await run("git", ["rev-parse", "--verify", "--quiet", `${named}^{commit}`]).catch(() => {
      console.error(`PREVIOUS is ${named}, which this clone doesn't know: push the commit that runs, or fetch it`);
      process.exit(1);
    });
    return named;
  }
  // A team's clone has both: its own deployments, and the releases of Foyer that it merged, which it never ran as they are.
  return (await newestTag("production-*")) ?? newestTag("v*");
}

async function newestTag(pattern: string): Promise<string | null> {
  const found = await run("git", ["describe", "--tags", "--abbrev=0", "--match", pattern, "HEAD^"]).catch(() => "");
  return found.trim() || null;
}

async function versionAt(commit: string): Promise<string> {
  return (JSON.parse(await run("git", ["show", `${commit}:package.json`])) as { version: string }).version;
}
