import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * A copy of the repository as another team would have it: with `tests/support/renamed-product.config.ts` in place of
 * `app/product.config.ts`. Answers its folder, one for each use.
 *
 * @param {string} use
 */
export function copyRenamed(use) {
  const folder = copyRepository(use);
  cpSync("tests/support/renamed-product.config.ts", join(folder, "app/product.config.ts"));
  return folder;
}

/**
 * A copy that can be built and run by itself. It shares the packages. Answers its folder, one for each use.
 *
 * @param {string} use
 */
export function copyRepository(use) {
  const folder = resolve(".renamed", use);
  rmSync(folder, { recursive: true, force: true });
  // What git knows or would take: whatever is being worked on, and nothing that was built.
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of new Set(files.split("\0").filter(existsSync))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file), { force: true });
  }
  cpSync(".dev.vars.example", join(folder, ".dev.vars"));
  cpSync("worker-configuration.d.ts", join(folder, "worker-configuration.d.ts"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

/**
 * The repository as a commit had it, without packages: what was needed then may be gone now.
 *
 * @param {string} use
 * @param {string} commit
 */
export function copyOfThePast(use, commit) {
  const folder = resolve(".renamed", use);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync("git", ["archive", commit], { maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "-C", folder], { input: packed });
  cpSync(join(folder, ".dev.vars.example"), join(folder, ".dev.vars"));
  return folder;
}
