/**
 * `npm run mutants`: realistic mistakes, each inserted into a copy of the repository, and the tests that must detect them.
 * Exits with 1 when one survives.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyRepository } from "../checks/repository-copy.ts";
import { readCommandLine, stop } from "../../command-line.ts";
import type { Mutant, Suite } from "./mutant.ts";
import { mutants } from "./mutants.ts";

const usage = `npm run mutants -- [WORD]

  WORD  runs the mutants with that word in their name; without it, all of them`;

const { positionals } = readCommandLine({}, usage);
const wanted = mutants.filter(({ name }) => name.includes(positionals.join(" ")));
if (wanted.length === 0) stop(`No such mutant. There are:\n${mutants.map(({ name }) => `  - ${name}`).join("\n")}`);
// Before the first one takes its minutes.
const outdated = wanted.filter(
  ({ file, find }) => !existsSync(file) || readFileSync(file, "utf8").split(find).length !== 2,
);
if (outdated.length > 0)
  stop(
    `What these replace is no longer in the code once:\n${outdated.map(({ name, file }) => `  - ${name}: ${file}`).join("\n")}`,
  );
const cwd = copyRepository("mutants");
const living = wanted.filter((mutant) => !isNoticed(mutant));
console.log(`\n${wanted.length - living.length} of ${wanted.length} are noticed.`);
process.exitCode = living.length > 0 ? 1 : 0;

/** A test that always fails would detect everything: the same tests, and the same seeds, pass without the mistake. */
function isNoticed(mutant: Mutant): boolean {
  const { name, file, find, replace } = mutant;
  const path = join(cwd, file);
  const sound = readFileSync(path, "utf8");
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  );
  const { noticed, others } =
    mutant.suite === "simulate"
      ? simulate(mutant.by, () => writeFileSync(path, sound))
      : { noticed: runTests(mutant.suite, mutant.tests, name), others: [] };
  writeFileSync(path, sound);
  console.log(`${noticed.length > 0 ? "noticed" : "LIVES  "}  ${name}`);
  for (const test of noticed) console.log(`           by: ${test}`);
  for (const other of others) console.log(`           not by: ${other}`);
  return noticed.length > 0;
}

type Seen = { noticed: string[]; others: string[] };

/**
 * Whether a story violates the invariant `by` within five minutes. Another invariant, a crash or a story that fails without the mistake as well says
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
    : { noticed: [], others: [...others, `seed ${seed}, which fails without the mistake as well`] };
}

function runSimulation(...args: string[]): { output: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(
    "node",
    ["scripts/maintainers/simulate/simulate.ts", ...args, "--no-shrink"],
    {
      cwd,
      encoding: "utf8",
    },
  );
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
