import { spawnSync } from "node:child_process";

/** Also false without git. */
export function isUncommitted(folder = "."): boolean {
  const { status, stdout } = spawnSync("git", ["-C", folder, "status", "--porcelain", "--untracked-files=normal"], {
    encoding: "utf8",
  });
  return status === 0 && stdout.trim() !== "";
}

/** The id of the commit that is checked out. Null without git, or if something isn't committed, since then no commit has it all. */
export function wholeCommit(folder = "."): string | null {
  if (isUncommitted(folder)) return null;
  const { status, stdout } = spawnSync("git", ["-C", folder, "rev-parse", "--verify", "HEAD"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** Null without git or without a branch. A clone made by a CI service has no branch: there its name is in the environment. */
export function checkedOutBranch(folder = "."): string | null {
  const inCi = process.env.WORKERS_CI_BRANCH ?? process.env.GITHUB_HEAD_REF;
  if (inCi) return inCi;
  const { status, stdout } = spawnSync("git", ["-C", folder, "branch", "--show-current"], { encoding: "utf8" });
  return status === 0 && stdout.trim() !== "" ? stdout.trim() : null;
}
