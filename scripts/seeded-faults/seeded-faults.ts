/**
 * `npm run mutants`: realistic mistakes, each inserted into a copy of the repository, and the tests that must detect them.
 * Exits with 1 when one survives.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyRepository } from "../checks/repository-copy.ts";
import { readCommandLine, stop } from "../command-line.ts";
import { chooseFaults } from "./choose-faults.ts";
import type { Fault } from "./fault.ts";
import { faults } from "./faults.ts";

const usage = `npm run mutants -- [--since COMMIT] [WORD]

  WORD            runs the faults with that word in their name; without it, all of them
  --since COMMIT  runs those of the modules and parts of the code that changed since then, and those whose tests changed;
                  none of the simulation, which take five minutes each`;

const { values: options, positionals } = readCommandLine({ since: { type: "string" } }, usage);
const named = faults.filter(({ name }) => name.includes(positionals.join(" ")));
if (named.length === 0) stop(`No such fault. There are:\n${faults.map(({ name }) => `  - ${name}`).join("\n")}`);
const wanted = options.since === undefined ? named : chooseFaults(named, filesChangedSince(options.since));
if (options.since !== undefined) printLeftOut(options.since);
if (wanted.length === 0) process.exit();
const cwd = copyRepository("seeded-faults");
const living = wanted.filter((fault) => !isNoticed(fault));
console.log(`\n${wanted.length - living.length} of ${wanted.length} are noticed.`);
process.exitCode = living.length > 0 ? 1 : 0;

/** Committed or not. Compared with where a branch left `commit`, so that what others changed there since isn't part of it. */
function filesChangedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  try {
    const changed = git("diff", "--merge-base", "--name-only", "--no-renames", "-z", commit, "--");
    return (changed + git("ls-files", "--others", "--exclude-standard", "-z")).split("\0");
  } catch {
    return stop(`Git can't compare with ${commit}: --since takes a commit, a branch or a tag.\n\n${usage}`);
  }
}

function printLeftOut(since: string): void {
  const left = named.filter((fault) => !wanted.includes(fault));
  const simulated = left.filter(({ suite }) => suite === "simulate").length;
  console.log(
    `Changed since ${since}: ${wanted.length} faults to run. Left out: ${left.length}, of which ${simulated} are of the simulation.\n`,
  );
}

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
