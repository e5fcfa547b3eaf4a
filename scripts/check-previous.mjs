/**
 * `npm run check:previous`: the build that stood before the newest migration goes on serving when the database is migrated already, as
 * it does for a moment in each deployment. Its own rings say so, in a copy of the repository as it was, with today's migrations. What
 * stands behind `--` goes to vitest instead of the rings' names.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { copyOfThePast } from "./repository-copy.mjs";
import { run } from "./run.mjs";

const rings = ["--project", "integration", "--project", "http"];
const wanted = process.argv.slice(2);
/** What holds the schema against the database, in which today there is more; and what makes a copy of the copy. */
const aboutOtherThings = [
  "tests/integration/database.test.ts",
  "tests/integration/past-states.test.ts",
  "tests/http/renamed.test.ts",
];

const newest = readdirSync("drizzle").findLast((name) => name.endsWith(".sql"));
const added = await run("git", ["log", "--diff-filter=A", "--format=%H", "-1", "--", `drizzle/${newest}`]);
const today = process.cwd();
const folder = copyOfThePast("previous", `${added.trim()}^`);
rmSync(`${folder}/drizzle`, { recursive: true });
cpSync(`${today}/drizzle`, `${folder}/drizzle`, { recursive: true });
process.chdir(folder);
try {
  await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"]);
  const excluded = aboutOtherThings.flatMap((file) => ["--exclude", file]);
  await run(`${folder}/node_modules/.bin/vitest`, ["run", ...excluded, ...(wanted.length > 0 ? wanted : rings)], {
    quiet: false,
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
