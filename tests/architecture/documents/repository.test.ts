import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

test("no file of the repository but a team's own is as large as a download or a build would be", () => {
  const listed = spawnSync("git", ["ls-files", "-z"], { encoding: "utf8" }).stdout.split("\0").filter(existsSync);
  expect(listed.length).toBeGreaterThan(1500);
  expect(listed.filter((path) => !path.startsWith("app/product/") && statSync(path).size > 250_000)).toEqual([]);
});

describe("the pre-commit hook", () => {
  let clone: string;
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: clone, encoding: "utf8" });

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), "foyer-hook-"));
    for (const folder of [".githooks", "scripts"]) cpSync(folder, join(clone, folder), { recursive: true });
    for (const file of [".oxlintrc.json", ".oxfmtrc.json"]) copyFileSync(file, join(clone, file));
    symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
    for (const folder of ["app", "docs"]) mkdirSync(join(clone, folder));
    run("git", "init", "--quiet");
    run("git", "add", ".oxlintrc.json", ".oxfmtrc.json");
    run(
      process.execPath,
      "--eval",
      'import("./scripts/install/install-hooks.ts").then((hooks) => hooks.installHooks())',
    );
  });
  afterAll(() => rmSync(clone, { recursive: true }));

  /** Commits one file; returns whether git accepted it. The working file is changed after it was staged. */
  function commit(
    name: string,
    text: string,
    { working = text }: { working?: string } = {},
  ): { isCommitted: boolean; printed: string } {
    writeFileSync(join(clone, name), text);
    run("git", "add", name);
    writeFileSync(join(clone, name), working);
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    const { status, stdout, stderr } = run("git", ...who, "commit", "--quiet", "--message", name);
    run("git", "rm", "--quiet", "--cached", "--force", "--ignore-unmatch", name);
    return { isCommitted: status === 0, printed: stdout + stderr };
  }

  test("accepts files that are formatted and pass the linter, and file types that it doesn't check", () => {
    expect(commit("app/well.ts", "export const well = 1;\n")).toMatchObject({ isCommitted: true });
    expect(commit("notes.txt", "a  b")).toMatchObject({ isCommitted: true });
    expect(commit("docs/well.md", "# Well\n\n- one\n")).toMatchObject({ isCommitted: true });
  });

  test("refuses unformatted files and lint errors", () => {
    expect(commit("app/format.ts", "export const   format=1\n")).toMatchObject({ isCommitted: false });
    expect(commit("docs/format.md", "# Format\n* one\n* two\n")).toMatchObject({ isCommitted: false });
    const loose = commit("app/loose.ts", "export const loose: any = 1;\n");
    expect(loose.isCommitted).toBe(false);
    expect(loose.printed).toContain("no-explicit-any");
  });

  test("checks the staged version of a file, not the working copy", () => {
    const [good, unformatted, loose] = [
      "export const good = 1;\n",
      "export const   good=1\n",
      "export const good: any = 1;\n",
    ];
    expect(commit("app/staged.ts", good, { working: unformatted })).toMatchObject({ isCommitted: true });
    expect(commit("app/staged.ts", unformatted, { working: good })).toMatchObject({ isCommitted: false });
    expect(commit("app/staged.ts", loose, { working: good })).toMatchObject({ isCommitted: false });
  });

  test("applies the linter's exceptions: scripts may print, app code may not", () => {
    expect(commit("scripts/print.ts", 'console.log("Done");\n')).toMatchObject({ isCommitted: true });
    const printing = commit("app/print.ts", 'console.log("Done");\n');
    expect(printing.isCommitted).toBe(false);
    expect(printing.printed).toContain("no-console");
  });
});

describe("CI", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

  test("runs the test command that README shows, and the browser suite", () => {
    const shown = [...readFileSync("README.md", "utf8").matchAll(/^```\w*\n(.*?)^```/gms)]
      .flatMap(([, block = ""]) => block.split(/\n|&&/))
      .map((command) => command.trim())
      .filter((command) => /^npm (test|run test\S*)\b/.test(command));
    expect(shown.length).toBeGreaterThan(0);
    const lines = readFileSync(".ci/run", "utf8").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([...shown, "npm run test:browser"].map((command) => `timed ${command}`)),
    );
    expect(readFileSync(".github/workflows/ci.yml", "utf8")).toMatch(/ \.ci\/run$/m);
  });

  test("leaves out no suite and no test by a filter, a tag or a second try", () => {
    const suites = /^vitest run( --project \w+)+$/;
    const steps = `${scripts["check"]} && ${scripts["test"]}`.split(" && ").filter((step) => step.startsWith("vitest"));
    expect(steps.filter((step) => !suites.test(step))).toEqual([]);
    expect(scripts["test"]).toMatch(/^npm run check && /);
    expect(scripts["test:browser"]).toBe("vitest run --config tests/browser/vitest.config.ts");
    const configs = ["vitest.config.ts", "tests/browser/vitest.config.ts"].map((path) => readFileSync(path, "utf8"));
    const named = [...(configs[0] ?? "").matchAll(/^ +name: "(\w+)",$/gm)].map(([, name]) => name);
    expect(steps.flatMap((step) => step.split(" --project ").slice(1)).toSorted()).toEqual(named.toSorted());
    const filters = /\b(exclude|tags?|tagsFilter|testNamePattern|shard|retry|bail|passWithNoTests|allowOnly):/;
    expect(configs.filter((config) => filters.test(config))).toEqual([]);
  });
});

describe("the workflows", () => {
  const workflows = globSync(".github/workflows/*.yml").map((path) => readFileSync(path, "utf8"));
  const all = workflows.join("\n");

  test("run only scripts that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const run = [...all.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(run.length).toBeGreaterThan(5);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("use one version of each action", () => {
    const used = [...new Set([...all.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action))];
    expect(used.filter((action) => !/@v\d+$/.test(action))).toEqual([]);
    expect(used).toHaveLength(new Set(used.map((action) => action.replace(/@.*/, ""))).size);
  });

  test("run every night what takes too long for each change", () => {
    const night = readFileSync(".github/workflows/nightly.yml", "utf8");
    expect(night).toMatch(/^ +- cron: /m);
    for (const name of ["mutants", "simulate", "faults", "check:configs"]) expect(night).toContain(`- npm run ${name}`);
  });
});
