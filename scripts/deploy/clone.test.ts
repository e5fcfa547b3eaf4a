import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buttonProblem, wholeCommit } from "./clone.ts";

const readme = (source: string) =>
  `[![Deploy to Cloudflare](https://deploy.workers.cloudflare.com/button)](https://deploy.workers.cloudflare.com/?url=${source})\n`;
const own = "https://github.com/ada/shop";

describe("README's Deploy button", () => {
  test.each([
    `${own}.git`,
    own,
    "git@github.com:ada/shop.git",
    "ssh://git@github.com/ada/shop.git",
    "https://token@github.com/ada/shop",
    "/srv/git/shop.git",
    null,
  ])("with the address of the clone's own repository is right: %s", (origin) => {
    expect(buttonProblem(readme(own), origin)).toBe(null);
  });

  test("with the placeholder or another repository is reported", () => {
    const sample = "https://github.com/your-source/foyer";
    expect(buttonProblem(readme(sample), null)).toBe(`README's Deploy button leads to ${sample}`);
    expect(buttonProblem(readme(sample), "git@gitlab.com:ada/shop.git")).toBe(
      `README's Deploy button leads to ${sample}, and this repository is https://gitlab.com/ada/shop`,
    );
    expect(buttonProblem(readme("https://github.com/bea/shop"), own)).toContain(`this repository is ${own}`);
  });

  test("that a team has removed is missed by nothing", () => {
    expect(buttonProblem("# Shop\n", own)).toBe(null);
  });
});

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
