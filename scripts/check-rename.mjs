/**
 * `npm run check:rename`: every ring in a copy of the repository whose product has another name, segment, plans, prices, meters and
 * preferences. Takes as long as `npm test` and the browser ring; what stands behind `--` goes to vitest instead.
 */
import { copyRenamed } from "./repository-copy.mjs";
import { run } from "./run.mjs";

const rings = [
  ["--project", "unit", "--project", "integration", "--project", "http"],
  ["--config", "tests/browser/vitest.config.ts"],
];
const wanted = process.argv.slice(2);
process.chdir(copyRenamed("rings"));
try {
  await run("react-router", ["typegen"]);
  await run("tsc", ["--noEmit"]);
  const own = ["renamed", "configs"].flatMap((name) => ["--exclude", `tests/http/${name}.test.ts`]);
  for (const ring of wanted.length > 0 ? [wanted] : rings)
    await run("vitest", ["run", ...own, ...ring], { quiet: false });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
