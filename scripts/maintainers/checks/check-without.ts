/**
 * `npm run check:without`: every test suite in a copy of the repository from which `npm run without` removed all features. Takes as long as
 * `npm test` and the browser suite; arguments after `--` are passed to vitest instead.
 */
import { features } from "#app/features.ts";
import { run } from "../../run.ts";
import { commitAll, copyRepository } from "./repository-copy.ts";

const suites = [
  ["--project", "unit", "--project", "integration", "--project", "http"],
  ["--config", "tests/browser/vitest.config.ts"],
];
/** Tools and tests outside of their folders still use these. */
const stillUsed = ["devices", "waitlist"];
const wanted = process.argv.slice(2);
const folder = copyRepository("without");
commitAll(folder, "Foyer");
process.chdir(folder);
for (const name of inOrder()) {
  await run("npm", ["run", "without", "--", name], { quiet: false });
  commitAll(folder, `Remove ${name}`);
}
// A failure in one suite doesn't prevent the next from running.
for (const suite of wanted.length > 0 ? [wanted] : suites) {
  await run("vitest", ["run", ...suite], { quiet: false }).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

/** Each before what it needs. */
function inOrder(): string[] {
  const order: string[] = [];
  let left = features.filter(({ name }) => !stillUsed.includes(name));
  while (left.length > 0) {
    const free = left.filter(({ name }) => left.every(({ needs = [] }) => !needs.includes(name)));
    order.push(...free.map(({ name }) => name));
    left = left.filter((feature) => !free.includes(feature));
  }
  return order;
}
