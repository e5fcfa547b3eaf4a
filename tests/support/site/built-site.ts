import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { ThirdParty } from "#app/modules/catalogue/third-parties.rules.ts";
import type { Build, Module } from "./run-worker.ts";

/** Settings of the product's config that are built in, and that no variable overrides. */
export type Settings = {
  /** Words of the config that others take the place of. */
  replaced?: readonly (readonly [word: RegExp, replacement: string])[];
  freePlan?: "none";
  /** Declared by the config. A stand-in's http address would be refused in one that is built. */
  thirdParties?: readonly ThirdParty[];
};

/** The site's Worker in a folder of builds, with these settings in place of the product's. */
export function builtSite(build: string, { replaced = [], freePlan, thirdParties }: Settings = {}): Build {
  const folder = resolve(build, "server");
  const modules = modulesIn(folder, entryOf(folder));
  for (const [word, replacement] of replaced) replaceInConfig(modules, word, replacement);
  if (thirdParties) replaceInConfig(modules, /(thirdParties:\s*)\[\]/, `$1${JSON.stringify(thirdParties)}`);
  if (freePlan === "none") {
    replaceInConfig(
      modules,
      /\{\s*id:[^{}]*prices:\s*null,\s*limits:\s*\{[^{}]*\},\s*points:\s*\[[^\]]*\],?\s*\},/,
      "",
    );
  }
  return { configPath: join(folder, "wrangler.json"), modules };
}

/** Written by the build, and changed by benchmarks that run a Worker of their own in front. */
function entryOf(folder: string): string {
  const { main } = JSON.parse(readFileSync(join(folder, "wrangler.json"), "utf8")) as { main: string };
  return basename(main);
}

/** The modules of a built Worker, its entry first. */
export function modulesIn(folder: string, entry = "index.js"): Module[] {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".js") && !name.includes(".wrangler"),
  );
  return [entry, ...found.filter((name) => name !== entry)].map((name) => ({
    type: "ESModule" as const,
    path: join(folder, name),
    contents: readFileSync(join(folder, name), "utf8"),
  }));
}

function replaceInConfig(modules: Module[], word: RegExp, replacement: string): void {
  const found = modules.find(({ contents }) => word.test(contents));
  if (!found) throw new Error("The built Worker doesn't hold the configuration as it did");
  found.contents = found.contents.replace(word, replacement);
}
