/**
 * `npm run mutants`: realistic mistakes, each inserted into a copy of the repository, and the tests that must detect them.
 * Exits with 1 when one survives. `-- seat` runs those with the word in their name.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyRepository } from "../checks/repository-copy.ts";
import { type Fault, faults } from "./faults.ts";

const nameFilter = process.argv.slice(2).join(" ");
const wanted = faults.filter(({ name }) => name.includes(nameFilter));
if (wanted.length === 0) {
  console.error(`No such fault. There are:\n${faults.map(({ name }) => `  - ${name}`).join("\n")}`);
  process.exit(2);
}
const cwd = copyRepository("seeded-faults");
const living = wanted.filter((fault) => !isNoticed(fault));
console.log(`\n${wanted.length - living.length} of ${wanted.length} are noticed.`);
process.exitCode = living.length > 0 ? 1 : 0;

/** A test that always fails would detect everything: the same tests pass without the fault, which `npm test` ensures. */
function isNoticed({ name, file, find, replace, suite, tests }: Fault): boolean {
  const path = join(cwd, file);
  const sound = readFileSync(path, "utf8");
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  );
  const failed = suite === "simulate" ? simulate() : runTests(suite, tests, name);
  writeFileSync(path, sound);
  console.log(
    `${failed.length > 0 ? "noticed" : "LIVES  "}  ${name}${failed.map((test) => `\n           by: ${test}`).join("")}`,
  );
  return failed.length > 0;
}

/** The invariant that a story violated within five minutes, if one did. */
function simulate(): string[] {
  const args = ["scripts/simulate/simulate.ts", "--minutes", "5", "--no-shrink"];
  const { stdout, stderr, status } = spawnSync("node", args, { cwd, encoding: "utf8" });
  if (status === 0) return [];
  const violated = /^Seed \d+ violates: .+$/m.exec(stdout)?.[0];
  if (!violated) throw new Error(`The simulation did not run:\n${stderr}`);
  return [violated];
}

function runTests(suite: string, tests: string, name: string): string[] {
  const report = join(cwd, "report.json");
  rmSync(report, { force: true });
  const args = ["run", "--project", suite, "--reporter", "json", "--outputFile", report, tests];
  const env = { ...process.env, FOYER_TEST_REPORTS: "" };
  const { stderr } = spawnSync("node_modules/.bin/vitest", args, { cwd, env, encoding: "utf8" });
  if (!existsSync(report)) throw new Error(`The tests of "${name}" did not run:\n${stderr}`);
  return failuresIn(report);
}

/** The first two are enough to confirm that the right tests failed. */
function failuresIn(report: string): string[] {
  // Vitest's own.
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return all
    .filter(({ status }) => status === "failed")
    .map(({ fullName }) => fullName)
    .slice(0, 2);
}
