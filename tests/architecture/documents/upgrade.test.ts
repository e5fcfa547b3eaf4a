import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** What a team changes outside of app/product, as docs/guides/upgrade.md lists it. */
const teamFields: Record<string, [RegExp, string][]> = {
  "package.json": [[/"name": ".+"/, '"name": "acme"']],
  "wrangler.toml": [
    [/^name = ".+"/m, 'name = "acme"'],
    [/database_name = ".+"/, 'database_name = "acme"'],
    [/namespace_id = "\d+"/g, 'namespace_id = "7"'],
  ],
};
/** What every release changes beside them. */
const releaseFields: Record<string, [RegExp, string][]> = {
  "package.json": [[/"version": ".+"/, '"version": "99.0.0"']],
  "wrangler.toml": [
    [/compatibility_date = ".+"/, 'compatibility_date = "2099-01-01"'],
    [/limit = \d+/g, "limit = 9"],
  ],
};

const product = readdirSync("app/product", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => posix.join(entry.parentPath, entry.name));
const others = ["app/routes.ts", "app/root.tsx", "app/ui/styles/app.css", "README.md", "vite.config.ts"];
const files = [...product, ...others, ...Object.keys(teamFields)];

let clone: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
    cwd: clone,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

function write(file: string, text: string | Buffer): void {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), text);
}

function commit(subject: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}

function change(fields: Record<string, [RegExp, string][]>): void {
  for (const [file, changes] of Object.entries(fields)) {
    const before = readFileSync(join(clone, file), "utf8");
    const after = changes.reduce((text, [pattern, to]) => text.replace(pattern, to), before);
    for (const [, to] of changes) expect(after).toContain(to);
    write(file, after);
  }
}

/** Every file of a list, from its first to its last line. */
function rewrite(list: readonly string[]): void {
  for (const file of list) write(file, readFileSync(join(clone, file), "utf8").replaceAll(/^/gm, "changed "));
}

/** Merges; returns the files with a conflict. */
function conflictsOf(branch: string): string[] {
  try {
    git("merge", "--quiet", "--no-edit", branch);
    return [];
  } catch {
    return git("diff", "--name-only", "--diff-filter=U").trim().split("\n");
  }
}

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "foyer-upgrade-"));
  git("init", "--quiet", "--initial-branch", "release");
  for (const file of files) write(file, readFileSync(file));
  commit("The release that a team began with");
  git("checkout", "--quiet", "-b", "team");
  rewrite(product);
  change(teamFields);
  commit("A team makes it its own");
  git("checkout", "--quiet", "release");
  rewrite(others);
  change(releaseFields);
  commit("The next release");
});
afterAll(() => rmSync(clone, { recursive: true }));

test("a team that changed app/product and the listed fields merges the next release without a conflict", () => {
  git("checkout", "--quiet", "team");
  expect(conflictsOf("release")).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(clone, "package.json"), "utf8")) as { name: string; version: string };
  expect([manifest.name, manifest.version]).toEqual(["acme", "99.0.0"]);
  const guide = readFileSync("docs/guides/upgrade.md", "utf8");
  for (const file of Object.keys(teamFields)) expect(guide).toMatch(new RegExp(`\\| \`${file}\` +\\|`));
});
