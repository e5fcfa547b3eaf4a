/**
 * `npm run without -- NAME`: removes a feature before the first deployment. Deletes its folder, its line in each list and its settings in the
 * config, writes the first migration and what is generated again, and checks the types. Ends with 1 and says where if words of it remain.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { unstable_readConfig as readConfig } from "wrangler";
import { lookForDatabase } from "../deploy/account.ts";
import { run } from "../run.ts";
import { readCommandLine, stop } from "../command-line.ts";
import { settingsIn, withoutBlocks, withoutImports, withoutSettings } from "./strike.ts";

const there = existsSync("app/features") ? readdirSync("app/features").toSorted() : [];
const usage = `npm run without -- NAME: one of ${there.join(", ")}. See docs/guides/start-with-less.md.`;
const { positionals } = readCommandLine({}, usage);
const [name = ""] = positionals;
const folder = `app/features/${name}/`;

if (!there.includes(name)) stop(usage);
if (git("status", "--porcelain") !== "") stop("Commit first, so that git restore can take it back.");
const { features } = await import("#app/features.ts");
const needing = features.filter(({ needs = [] }) => needs.includes(name)).map((feature) => feature.name);
if (needing.length > 0) stop(`Remove ${needing.join(" and ")} first: without ${name} it can't be used.`);
const { featureTools } = await import("../features.ts");
const { words = [name], settings: ofCore = [] } = featureTools.find((tools) => tools.name === name) ?? {};
const database = await lookForDatabase(readConfig({ config: "wrangler.toml" }));
if (database.id !== null)
  stop("The site is deployed: its database has the feature's tables. Switch it off in the config instead.");

const own = globSync(`${folder}**/*.rules.ts`).flatMap((path) => settingsIn(readFileSync(path, "utf8")));
const settings = [...own, ...ofCore];
rmSync(folder, { recursive: true });
for (const path of git("ls-files")
  .split("\n")
  .filter((file) => !file.startsWith(folder) && /\.(tsx?|md|ya?ml|vars)$/.test(file))) {
  const text = readFileSync(path, "utf8");
  const left = /\.tsx?$/.test(path) ? withoutCode(path, text) : withoutBlocks(name, text);
  if (left !== text) writeFileSync(path, left);
}
await run("npx", ["oxfmt"]);
const { firstMigration } = await import("../migrations/migrations.ts");
for (const file of globSync("drizzle/*.sql")) rmSync(file);
const { file, text } = firstMigration();
writeFileSync(`drizzle/${file}`, text);
await run("node", ["scripts/install/write-types.ts"]);
await run("npm", ["run", "docs"]);
const remaining = wordsLeft();
if (remaining.length > 0)
  stop(`Words of ${name} remain. Reword these lines, then npm test:\n\n${remaining.join("\n")}`);
await run("npx", ["tsc", "--noEmit"], { quiet: false });
console.log(`${name} is removed. Now npm test, and commit. docs/guides/start-with-less.md says how to take it back.`);

function withoutCode(path: string, source: string): string {
  const isConfig = /^app\/product\/config\.ts$|^tests\/support\/products\/.*config\.ts$/.test(path);
  return withoutImports(name, path, isConfig ? withoutSettings(settings, path, source) : source);
}

/** Lines that still speak of the feature. The changelog tells what was, and the emulator what Stripe calls things. */
function wordsLeft(): string[] {
  const pattern = new RegExp(`\\b(${words.join("|")})\\b`, "i");
  const files = git("ls-files", "--cached", "--others", "--exclude-standard")
    .split("\n")
    .filter((path) => existsSync(path) && /\.(tsx?|m?js|md|toml|css|sql|ya?ml|vars)$/.test(path))
    .filter((path) => !/^(CHANGELOG\.md$|packages\/)/.test(path));
  return files.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, at) => (pattern.test(line) ? `${path}:${at + 1}: ${line.trim()}` : [])),
  );
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}
