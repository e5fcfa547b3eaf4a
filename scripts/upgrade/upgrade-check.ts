/**
 * `npm run upgrade-check -- v0.1.0`: after a release was merged, what in `app/product` needs attention since that version. Reads the clone
 * and its history; changes nothing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { messages } from "#app/product/messages.ts";
import { product } from "#app/product/config.ts";
import { readCommandLine, stop } from "../command-line.ts";
import { changedTexts, newEntries, newSettings, type Versions } from "./what-needs-attention.ts";

const usage = "npm run upgrade-check -- VERSION: the version before the merge, such as v0.1.0";
const { positionals } = readCommandLine({}, usage);
const [from = ""] = positionals;
const settings = ["app/modules/catalogue/rules.ts", ...globSync("app/features/*/*.rules.ts")];

if (from === "") stop(usage);
if (!isCommit(from))
  stop(`This clone has no commit or tag ${from}. Tags come with: git fetch foyer --tags\n\n${usage}`);
const replaced = Object.entries(messages).flatMap(([name, texts]) => {
  const file = globSync("app/**/*.messages.ts").concat(globSync("app/**/messages.ts")).find(exports(name));
  return changedTexts(file ? versionsOf(file) : { before: null, now: null }, name, texts ?? {}).map(
    (path) => `${name}.${path}: its original in ${file ?? "no file"} reads differently now`,
  );
});
const found = [
  ...newEntries(versionsOf("CHANGELOG.md")),
  ...settings.flatMap((file) =>
    newSettings(versionsOf(file), product).map((key) => `New setting ${key}, optional: see ${file}`),
  ),
  ...replaced,
];
for (const line of found) console.log(`- ${line}`);
if (found.length === 0) console.log(`Nothing in app/product needs attention since ${from}.`);

function isCommit(name: string): boolean {
  try {
    return name !== "" && git("rev-parse", "--verify", "--quiet", `${name}^{commit}`) !== "";
  } catch {
    return false;
  }
}

function versionsOf(file: string): Versions {
  return { before: readAt(from, file), now: existsSync(file) ? readFileSync(file, "utf8") : null };
}

function readAt(version: string, file: string): string | null {
  try {
    return git("show", `${version}:${file}`);
  } catch {
    return null;
  }
}

function exports(name: string) {
  return (file: string): boolean => readFileSync(file, "utf8").includes(`export const ${name}:`);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 26 });
}
