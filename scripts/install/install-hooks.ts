import { execFileSync } from "node:child_process";

/** Makes git run .githooks/pre-commit, unless this isn't a clone, or the clone has its own hooks. */
export function installHooks(): void {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    if (git("rev-parse", "--show-prefix") !== "") return;
    if (git("config", "--default", "", "core.hooksPath") === "") git("config", "core.hooksPath", ".githooks");
  } catch {
    // A copy without git, or without a writable git config, has no hooks.
  }
}
