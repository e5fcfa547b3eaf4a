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
import type { Fault, Suite } from "./fault.ts";
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

/** A test that always fails would detect everything: the same tests, and the same seeds, pass without the fault. */
function isNoticed(fault: Fault): boolean {
  const { name, file, find, replace } = fault;
  const path = join(cwd, file);
  const sound = readFileSync(path, "utf8");
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  );
  const { noticed, others } =
    fault.suite === "simulate"
      ? simulate(fault.by, () => writeFileSync(path, sound))
      : { noticed: runTests(fault.suite, fault.tests, name), others: [] };
  writeFileSync(path, sound);
  console.log(`${noticed.length > 0 ? "noticed" : "LIVES  "}  ${name}`);
  for (const test of noticed) console.log(`           by: ${test}`);
  for (const other of others) console.log(`           not by: ${other}`);
  return noticed.length > 0;
}

type Seen = { noticed: string[]; others: string[] };

/**
 * Whether a story violates the invariant `by` within five minutes. Another invariant, a crash or a story that fails without the fault as well says
 * nothing about that invariant.
 */
function simulate(by: string, repair: () => void): Seen {
  const first = runSimulation("--minutes", "5");
  const violated = [...first.output.matchAll(/^Seed (\d+) violates: (.+)$/gm)];
  const [, seed] = violated.find(([, , invariant]) => invariant === by) ?? [];
  const others = violated.map(([line]) => line).filter((line) => !line.endsWith(`violates: ${by}`));
  if (seed === undefined) {
    if (first.status !== 0 && others.length === 0) others.push(`a crash:\n${first.output.slice(-2000)}`);
    return { noticed: [], others };
  }
  repair();
  const sound = runSimulation("--seed", seed);
  return sound.status === 0
    ? { noticed: [`${by} (seed ${seed})`], others }
    : { noticed: [], others: [...others, `seed ${seed}, which fails without the fault as well`] };
}

function runSimulation(...args: string[]): { output: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync("node", ["scripts/simulate/simulate.ts", ...args, "--no-shrink"], {
    cwd,
    encoding: "utf8",
  });
  return { output: stdout + stderr, status };
}

function runTests(suite: Suite, tests: string, name: string): string[] {
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
