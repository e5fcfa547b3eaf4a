/**
 * `npm run check:rename`: what the guides tell a team to run, in a copy that sells a web app (follow-guides.ts). Then every test suite in a
 * copy of the repository with another product in `app/product`: another name, segment, plans, prices, meters, settings, landing page,
 * picture, legal texts, logo and accent. Takes as long as `npm test` and the browser suite; arguments after `--` are passed to vitest
 * instead.
 */
import { followGuides } from "./follow-guides.ts";
import { copyRenamed } from "./repository-copy.ts";
import { run } from "../../run.ts";

const suites = [
  ["--project", "unit", "--project", "integration", "--project", "http"],
  ["--config", "tests/browser/vitest.config.ts"],
];
const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  for (const failed of followGuides("guides")) {
    console.error(failed);
    process.exitCode = 1;
  }
}
process.chdir(copyRenamed("all"));
if ((await passes("react-router", ["typegen"])) && (await passes("tsc", ["--noEmit"]))) {
  const own = ["renamed", "configs"].flatMap((name) => ["--exclude", `tests/http/commands/${name}.test.ts`]);
  // A failure in one suite doesn't prevent the next from running.
  for (const suite of wanted.length > 0 ? [wanted] : suites)
    await passes("vitest", ["run", ...own, ...suite], { quiet: false });
}

async function passes(command: string, args: string[], options?: { quiet?: boolean }): Promise<boolean> {
  try {
    await run(command, args, options);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    return false;
  }
}
