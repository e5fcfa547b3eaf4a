import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
/** What every release changes beside them, and a bit more. */
const releaseFields: Record<string, [RegExp, string][]> = {
  "package.json": [
    [/"version": ".+"/, '"version": "99.0.0"'],
    [/"vite": ".+"/, '"vite": "99.0.1"'],
  ],
  "package-lock.json": [
    [/"version": ".+"/, '"version": "99.0.0"'],
    [/(?<="": \{\n +"name": ".+",\n +)"version": ".+"/, '"version": "99.0.0"'],
    [/"vite": ".+"/g, '"vite": "99.0.1"'],
  ],
  "wrangler.toml": [
    [/compatibility_date = ".+"/, 'compatibility_date = "2099-01-01"'],
    [/limit = \d+/g, "limit = 9"],
  ],
};
/** Installing under another name, or with an additional package, changes the first lines of the lock file. */
const teamLock: Record<string, [RegExp, string][]> = {
  "package-lock.json": [[/(?<=^\{\n|"": \{\n)( +)"name": ".+"/g, '$1"name": "acme"']],
};

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\0")
  .filter(isFile);
const product = files.filter((file) => file.startsWith("app/product/"));
/** Every file that a release may change as a whole. */
const others = files.filter((file) => !product.includes(file) && !(file in releaseFields));

let clone: string;
const git = (args: string[], input?: string) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
    cwd: clone,
    encoding: "utf8",
    input,
    stdio: ["pipe", "pipe", "pipe"],
  });

type Texts = ReadonlyMap<string, string>;

/** A commit on a new branch, without a checkout of all the files. */
function commit(branch: string, texts: Texts, parent?: string): void {
  const changes = [...texts].map(
    ([file, text]) => `M 100644 inline ${file}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const from = parent === undefined ? "" : `from refs/heads/${parent}\n`;
  const start = `commit refs/heads/${branch}\ncommitter Test <test@example.com> 0 +0000\ndata 0\n${from}`;
  git(["fast-import", "--quiet"], start + changes.join(""));
}

/** What the files contain doesn't matter: another text from the first to the last line. */
const rewritten = (list: readonly string[], side: string): Texts =>
  new Map(list.map((file) => [file, `${side} ${file}`]));

function changed(...all: Record<string, [RegExp, string][]>[]): Texts {
  const texts = new Map<string, string>();
  for (const [file, changes] of all.flatMap((fields) => Object.entries(fields))) {
    const after = changes.reduce(
      (text, [pattern, to]) => text.replace(pattern, to),
      texts.get(file) ?? readFileSync(file, "utf8"),
    );
    for (const [, to] of changes) expect(after).toContain(to.replace("$1", ""));
    texts.set(file, after);
  }
  return texts;
}

const fields: Texts = new Map(Object.keys(releaseFields).map((file) => [file, readFileSync(file, "utf8")]));

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "foyer-upgrade-"));
  git(["init", "--quiet"]);
});
afterAll(() => rmSync(clone, { recursive: true }));

const guide = readFileSync("docs/guides/upgrade.md", "utf8");
const parsed = (text: string) => JSON.parse(text) as { name: string; version: string };
const lines = (text: string) => text.trim().split("\n").toSorted();

test("a team that changed app/product and the listed fields merges the next release without a conflict", () => {
  expect([product.length > 10, others.length > 1000]).toEqual([true, true]);
  commit("first", new Map([...rewritten([...product, ...others], "first"), ...fields]));
  commit("team", new Map([...rewritten(product, "team"), ...changed(teamFields)]), "first");
  commit("next", new Map([...rewritten(others, "next"), ...changed(releaseFields)]), "first");
  // Fails if anything conflicts.
  const merged = git(["merge-tree", "--write-tree", "team", "next"]).trim();
  const manifest = parsed(git(["show", `${merged}:package.json`]));
  expect([manifest.name, manifest.version]).toEqual(["acme", "99.0.0"]);
  // The team's files are as the team left them, and all others as in the release.
  const differences = (branch: string) => lines(git(["diff-tree", "-r", "--name-only", branch, merged]));
  const both = Object.keys(teamFields);
  expect(differences("team")).toEqual([...others, ...Object.keys(releaseFields)].toSorted());
  expect(differences("next")).toEqual([...product, ...both].toSorted());
  for (const file of both) expect(guide).toContain(`\`${file}\``);
}, 120_000);

/**
 * What the release of Foyer that is checked out changed in `app/product` since the one before it; nothing if none is checked out. A team may
 * tag versions of its own: a release's tag names the version in its package.json, and a team's fields don't include that.
 */
function changedByRelease(folder: string): string[] {
  const run = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8" })
      .trim()
      .split("\n")
      .filter((line) => line !== "");
  const isRelease = (tag: string) => tag === `v${parsed(run("show", `${tag}:package.json`).join("\n")).version}`;
  const released = run("tag", "--list", "v*", "--points-at", "HEAD").find(isRelease);
  if (released === undefined) return [];
  const releases = run("tag", "--list", "v*", "--sort=-version:refname", "--merged", "HEAD").filter(isRelease);
  const before = releases[releases.indexOf(released) + 1];
  return before === undefined ? [] : run("diff", "--name-only", before, released, "--", "app/product");
}

test("a release doesn't change app/product", () => {
  expect(changedByRelease(".")).toEqual([]);
});

test("a release that does is found, and a team's own change isn't", () => {
  const checkOut = (branch: string, tag: string, texts: Texts, parent?: string) => {
    commit(branch, texts, parent);
    git(["tag", tag, branch]);
    git(["checkout", "--quiet", "--force", branch]);
  };
  const release = (version: string, list: readonly string[], parent?: string) =>
    checkOut(
      version,
      `v${version}`,
      new Map([...rewritten(list, version), ["package.json", JSON.stringify({ version })]]),
      parent,
    );
  release("0.9.0", ["app/product/config.ts"]);
  expect(changedByRelease(clone)).toEqual([]);
  release("0.9.1", ["app/other.ts"], "0.9.0");
  expect(changedByRelease(clone)).toEqual([]);
  release("0.10.0", ["app/product/config.ts"], "0.9.1");
  expect(changedByRelease(clone)).toEqual(["app/product/config.ts"]);
  // The team's own versions, the newest of which is beside the release that it has merged.
  checkOut("customised", "v1.0.0", rewritten(["app/product/config.ts"], "customised"), "0.9.1");
  expect(changedByRelease(clone)).toEqual([]);
  checkOut("again", "v2.0.0", rewritten(["app/product/config.ts"], "again"), "customised");
  expect(changedByRelease(clone)).toEqual([]);
});

test("after a conflict in the lock file, the guide's commands use the release's version and finish the merge", () => {
  commit("lock-first", fields);
  commit("lock-team", changed(teamFields, teamLock), "lock-first");
  commit("lock-next", changed(releaseFields), "lock-first");
  git(["checkout", "--quiet", "lock-team"]);
  expect(() => git(["merge", "--quiet", "--no-edit", "lock-next"])).toThrow("Command failed");
  expect(lines(git(["diff", "--name-only", "--diff-filter=U"]))).toEqual(["package-lock.json"]);
  const blocks = [...guide.matchAll(/```\w*\n([^]*?)```/g)].map(([, block = ""]) => block);
  const block = blocks.find((commands) => commands.includes("--package-lock-only")) ?? "";
  for (const command of block.trim().split("\n")) {
    if (command.startsWith("git ")) git(command.split(" ").slice(1));
    else writeNameAsNpmDoes(command);
  }
  expect(git(["status", "--porcelain"]).trim()).toBe("");
  const lock = parsed(readFileSync(join(clone, "package-lock.json"), "utf8"));
  expect([lock.name, lock.version]).toEqual(["acme", "99.0.0"]);
});

/** npm asks the registry. Into a lock file that has all packages it writes the name and nothing else. */
function writeNameAsNpmDoes(command: string): void {
  expect(command).toBe("npm install --package-lock-only");
  const file = join(clone, "package-lock.json");
  const text = teamLock["package-lock.json"]?.reduce(
    (before, [pattern, to]) => before.replace(pattern, to),
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, text ?? "");
}
