import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wholeCommit } from "./clone.ts";

test("a commit is named only if it has everything that is deployed", () => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-clone-"));
  expect(wholeCommit(folder)).toBe(null);
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
  git("init", "--quiet");
  expect(wholeCommit(folder)).toBe(null);
  git("-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "commit", "--quiet", "--allow-empty", "-m", "First");
  expect(wholeCommit(folder)).toBe(git("rev-parse", "HEAD"));
  writeFileSync(join(folder, "product.config.ts"), "");
  expect(wholeCommit(folder)).toBe(null);
});
