import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#tests/support/products/renamed-product/config.ts";
import { webApp } from "#tests/support/products/web-app.config.ts";
import { inputsFile, inputsHash } from "../../brand/picture-inputs.ts";
import { withResourceNames } from "../../brand/resource-names.ts";

const renamed = "tests/support/products/renamed-product";

/**
 * A copy of the repository as another team would have it: `tests/support/products/renamed-product` in place of the folder
 * `app/product`, its config in place of the product that tests run on. Returns its folder, one for each use.
 */
export function copyRenamed(use: string): string {
  const folder = copyRepository(use);
  rmSync(join(folder, "app/product"), { recursive: true });
  cpSync(renamed, join(folder, "app/product"), { recursive: true });
  cpSync(`${renamed}/config.ts`, join(folder, "tests/support/products/fixed-product.config.ts"));
  cpSync(`${renamed}/messages.ts`, join(folder, "tests/support/products/fixed-product.messages.ts"));
  const named = { "wrangler.toml": read(folder, "wrangler.toml"), "package.json": read(folder, "package.json") };
  for (const [file, text] of Object.entries(withResourceNames(named, product.resources)))
    writeFileSync(join(folder, file), text);
  keepPictures(folder, product);
  return folder;
}

/**
 * A copy as a team has it that sells a web app, before it runs `npm run brand`: `renamed-product` in place of `app/product`, with another
 * config, and everything else, the tests' product too, as it is. It is a clone with a release's tag and the team's changes.
 */
export function copyCustomised(use: string): string {
  const folder = copyRepository(use);
  commitAll(folder, "Foyer", "v0.1.0");
  rmSync(join(folder, "app/product"), { recursive: true });
  cpSync(renamed, join(folder, "app/product"), { recursive: true });
  writeFileSync(join(folder, "app/product/config.ts"), configSource(webApp));
  keepPictures(folder, webApp);
  return folder;
}

/** A commit of all that isn't ignored, if wanted with a tag. */
export function commitAll(folder: string, subject: string, tag?: string): void {
  const inFolder = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Team", "-c", "user.email=team@example.com", ...args], { cwd: folder });
  inFolder("init", "--quiet");
  // A link here, which the pattern for the folder doesn't match.
  writeFileSync(join(folder, ".git/info/exclude"), "node_modules\n");
  inFolder("add", "--all");
  inFolder("commit", "--quiet", "--no-verify", "--message", subject);
  if (tag !== undefined) inFolder("tag", tag);
}

/** A config as a file, in one line: `npm run brand` formats it. */
export function configSource(config: ProductConfig): string {
  return `import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

export const product = ${JSON.stringify(config)} as const satisfies ProductConfig;
`;
}

/** The pictures are the sample's still: rendering them takes a browser. */
function keepPictures(folder: string, own: ProductConfig): void {
  cpSync("app/product/public/social", join(folder, "app/product/public/social"), { recursive: true });
  writeFileSync(join(folder, inputsFile), inputsHash(own, folder));
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");

/** A copy that can be built and run independently. It shares the packages. Returns its folder, one for each use. */
export function copyRepository(use: string): string {
  const folder = resolve(".renamed", use);
  rmSync(folder, { recursive: true, force: true });
  copySources(folder);
  cpSync("scripts/site/local.dev.vars", join(folder, ".dev.vars"));
  cpSync("worker-configuration.d.ts", join(folder, "worker-configuration.d.ts"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

/** What a clone has before anything is installed. */
export function copySources(folder: string): void {
  // Files that git tracks or would add: work in progress included, build output excluded. Also in a copy of a copy, which git ignores.
  const home = git("rev-parse", "--absolute-git-dir").trim();
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = git("--git-dir", home, "--work-tree", ".", ...listing);
  for (const file of new Set(files.split("\0").filter(isFile))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file), { force: true });
  }
}

/** The repository at a commit, without packages: files needed then may have been removed since. */
export function copyOfThePast(use: string, commit: string): string {
  const folder = resolve(".renamed", use);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync("git", ["archive", commit], { maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "-C", folder], { input: packed });
  cpSync(join(folder, "scripts/site/local.dev.vars"), join(folder, ".dev.vars"));
  return folder;
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" });
}

/** Excludes files deleted meanwhile and the shared packages. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
