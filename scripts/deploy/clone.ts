import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";

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

/**
 * The button in README copies the repository that it names, which must be the team's own, the one at `origin`. Null if it is, or if there
 * is no button. `origin` is null without git or without a remote.
 */
export function buttonProblem(readme: string, origin: string | null): string | null {
  const [, source] = /deploy\.workers\.cloudflare\.com\/\?url=(https:[^)\s]+)/.exec(readme) ?? [];
  if (source === undefined) return null;
  const own = origin === null ? null : asWebAddress(origin);
  const isSample = source.includes("/your-source/");
  if (!isSample && (own === null || own === asWebAddress(source))) return null;
  return `README's Deploy button leads to ${source}${own === null ? "" : `, and this repository is ${own}`}`;
}

/** A git remote as the address that the button needs. Null if it's neither GitHub nor GitLab. */
function asWebAddress(remote: string): string | null {
  const [, host = "", path = ""] =
    /^(?:https:\/\/|ssh:\/\/)?(?:[^@/]+@)?((?:github|gitlab)\.com)[:/](.+?)(?:\.git)?\/?$/.exec(remote) ?? [];
  return path === "" ? null : `https://${host}/${path}`;
}

function originOf(folder: string): string | null {
  const { status, stdout } = spawnSync("git", ["-C", folder, "remote", "get-url", "origin"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** Reserved domains (RFC 2606), and the sample's own names: acceptable in a first try, not in a real shop. */
export function sampleValues(): string[] {
  const { support, statusUrl, seller, start }: ProductConfig = product;
  const button = buttonProblem(readFileSync("README.md", "utf8"), originOf("."));
  return [
    ...(isReserved(support) ? [`support is ${support}`] : []),
    ...(isReserved(statusUrl) ? [`statusUrl is ${statusUrl}`] : []),
    ...(start.downloads.some(({ href }) => isReserved(href)) ? ["start.downloads lead to a sample domain"] : []),
    ...(seller.vatId === "DE123456789" ? [`seller is ${seller.name}, ${seller.vatId}`] : []),
    ...(button === null ? [] : [button]),
  ];
}

const isReserved = (address: string): boolean =>
  /\.(example|test|invalid)(\/|$)|example\.(com|org|net)(\/|$)/.test(address);
