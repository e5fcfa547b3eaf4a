import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { deployedVariables } from "../../../scripts/deploy/deployed-variables.ts";

const workflow = readFileSync(".github/workflows/deploy.yml", "utf8");
const [head = "", staging = "", production = ""] = workflow.split(/^ {2}(?:staging|production):$/m);

test("staging gets what was pushed to this repository's main, never a pull request from a branch of that name", () => {
  expect(staging).toContain("github.event.workflow_run.event == 'push'");
  expect(staging).toContain("github.event.workflow_run.head_repository.full_name == github.repository");
});

/** What the step of a name runs, as a script for bash. */
function scriptOf(job: string, name: string): string {
  const step = job.split(/^ {6}- /m).find((text) => text.startsWith(`name: ${name}\n`)) ?? "";
  return (/^ {8}run: \|\n((?: {10}.*\n)+)/m.exec(step)?.[1] ?? "").replaceAll(/^ {10}/gm, "");
}

/** Commits by their letters: main has A, B and C, and X isn't on it any more. */
const commits: [string, string[], string | null][] = [
  ["the newest, whichever run of CI ended last", ["A", "C", "B"], "C"],
  ["the one before, while the newest is tested or when it failed", ["A", "B"], "B"],
  ["no commit that main no longer has", ["X", "A"], "A"],
  ["nothing, when none of main passed", ["X"], null],
];

test.each(commits)("staging gets %s", (_, passed, deployed) => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-staging-"));
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
  git("init", "--quiet");
  const commit = (name: string) => {
    // All in one second, so that times don't tell which is newer.
    const date = "2026-11-27T12:00:00Z";
    const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@shop.example"];
    execFileSync("git", ["-C", folder, ...author, "commit", "--quiet", "--allow-empty", "-m", name], { env });
    return [name, git("rev-parse", "HEAD")] as const;
  };
  const removed = commit("X");
  git("checkout", "--quiet", "--orphan", "rewritten");
  const ids = new Map([removed, commit("A"), commit("B"), commit("C")]);
  // GitHub's command, which lists what it is asked for: pushes to main that passed.
  const lists = passed.map((name) => `echo ${ids.get(name)}`).join("; ");
  const filters = "*'--workflow ci.yml --branch main --event push --status success'*";
  writeFileSync(join(folder, "gh"), `#!/bin/bash\ncase "$*" in ${filters}) ${lists};; esac\n`, { mode: 0o755 });
  const { status, stderr } = spawnSync(
    "bash",
    ["-e", "-c", scriptOf(staging, "The newest commit of main whose tests passed")],
    { cwd: folder, env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }, encoding: "utf8" },
  );
  if (deployed === null) expect([status, stderr]).toEqual([1, expect.stringContaining("No commit of main")]);
  else expect([status, git("rev-parse", "HEAD")], stderr).toEqual([0, ids.get(deployed)]);
});

test("staging installs and deploys the commit that was chosen", () => {
  expect(staging).not.toContain("head_sha");
  expect(staging).toMatch(/ref: main\n.*\n +fetch-depth: 0\n/);
  const order = ["ref: main", "git checkout --quiet --detach", "setup-node", "npm ci", "npm run deploy"];
  expect(order.map((text) => staging.indexOf(text))).toEqual(
    order.map((text) => staging.indexOf(text)).toSorted((one, other) => one - other),
  );
});

test("the account's token is given to steps that deploy, and to nothing that installs or runs code of packages", () => {
  expect(head).not.toContain("CLOUDFLARE_API_TOKEN");
  const steps = [staging, production].flatMap((job) => job.split(/^ {6}- /m));
  const withToken = steps.filter((step) => step.includes("secrets.CLOUDFLARE_API_TOKEN"));
  expect(withToken.map((step) => /npm run \w+/.exec(step)?.[0])).toEqual([
    "npm run deploy",
    "npm run rollout",
    "npm run rollout",
  ]);
  // In the step: an environment's own account isn't known before.
  for (const step of withToken) expect(step).toContain("CLOUDFLARE_ACCOUNT_ID: ${{ vars.CLOUDFLARE_ACCOUNT_ID }}");
});

test("production gets commits of main whose tests passed, by a tag that no release of the kit has", () => {
  expect(head).toContain('tags: ["production-*"]');
  expect(production.indexOf("gh run list --workflow ci.yml --branch main --event push")).toBeGreaterThan(0);
  expect(production.indexOf("gh run list")).toBeLessThan(production.indexOf("npm run deploy"));
});

test("what failed before a release is asked for before it migrates or deploys anything", () => {
  const [read, shared, watched] = ["rollout -- failing", "run: npm run deploy", "FAILING_JOBS"].map((word) =>
    production.indexOf(word),
  );
  expect(read).toBeGreaterThan(0);
  expect([shared, watched].map((at) => Number(at) > Number(read))).toEqual([true, true]);
});

test("a step that fails and a run that is cancelled take back what this run shared, and no other's roll-out", () => {
  const steps = production.split(/^ {6}- /m);
  const back = steps.find((step) => step.includes("npm run rollout -- back")) ?? "";
  expect(back).toContain("if: (failure() || cancelled()) && steps.share.outputs.version != ''\n");
  expect(back).toMatch(/npm run rollout -- back$/m);
  const share = steps.find((step) => step.includes("npm run deploy"));
  expect(share).toMatch(/^id: share$/m);
  expect(share).toContain("!endsWith(vars.PUBLIC_ORIGIN, '.workers.dev') && '--share 10'");
});

test("a deployment from GitHub can set what one by hand can", () => {
  // Of wrangler.toml, of the target, or of operators who know the tunnel: these stay as they are.
  const elsewhere = /^SENTRY_(ENVIRONMENT|RELEASE|TRACES|TUNNEL)/;
  const settable = deployedVariables.filter((name) => !elsewhere.test(name));
  expect(settable.filter((name) => !staging.includes(`${name}: \${{ vars.${name} }}`))).toEqual([]);
  expect(staging).toContain("env: &deployed");
  expect(production).toContain("env: *deployed");
});
