/**
 * `npm run check:rename`: every ring that needs no browser, in a copy of the repository whose product has another name, segment,
 * plans, prices, meters and preferences. Takes as long as `npm test`; what stands behind `--` goes to vitest instead.
 */
import { copyRenamed } from "./repository-copy.mjs";
import { run } from "./run.mjs";

const rings = ["--project", "rules", "--project", "workers", "--project", "http"];
const wanted = process.argv.slice(2);
process.chdir(copyRenamed("rings"));
try {
  await run("react-router", ["typegen"]);
  await run("tsc", ["--noEmit"]);
  const own = ["--exclude", "tests/http/renamed.test.ts"];
  await run("vitest", ["run", ...own, ...(wanted.length > 0 ? wanted : rings)], { quiet: false });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
