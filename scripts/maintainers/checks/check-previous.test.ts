import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const check = (PREVIOUS: string, cwd = ".") =>
  spawnSync("node", [resolve("scripts/maintainers/checks/check-previous.ts")], {
    cwd,
    env: { ...process.env, PREVIOUS },
    encoding: "utf8",
  });

test("a team's newest deployment is checked, and not the release of Foyer that was merged after it", () => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-previous-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd: folder });
  git("init", "--quiet");
  for (const [version, tag] of [
    ["0.2.0", "production-2026-11-28"],
    ["0.3.0", "v0.3.0"],
    ["0.3.0", "merged"],
  ] as const) {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
    git("add", "package.json");
    git("commit", "--quiet", "--allow-empty", "--message", tag);
    git("tag", tag);
  }
  expect(check("", folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("since production-2026-11-28"),
  });
  git("tag", "--delete", "production-2026-11-28");
  expect(check("", folder)).toMatchObject({ status: 0, stdout: expect.stringContaining("since v0.3.0") });
  rmSync(folder, { recursive: true });
});

test("a release before 0.2.0 isn't checked, since its database isn't kept", () => {
  expect(check("HEAD")).toMatchObject({ status: 0, stdout: expect.stringContaining("from 0.2.0 on") });
});

test("a commit that runs and was never pushed is asked for, in place of another one", () => {
  const unknown = "0123456789012345678901234567890123456789";
  const { status, stderr } = check(unknown);
  expect([status, stderr]).toEqual([1, expect.stringMatching(`^PREVIOUS is ${unknown}.*push the commit`)]);
});
