import { execFileSync } from "node:child_process";
import { globSync, realpathSync, statSync } from "node:fs";
import { environment } from "../run.ts";

const folder = "node_modules/stripe-emulator";

/** The Stripe emulator's Worker, for wrangler. */
export const emulatorConfig = `${folder}/wrangler.toml`;

/** The metadata keys under which the site stores an order's id and number on Stripe's objects, so that control calls take them. */
export const orderKeys = "order,number";

/** Builds the emulator if a source of it is newer than its build. An install does it too, but sources change. */
export function buildEmulator(): void {
  const own = realpathSync(folder);
  const builtAt = statSync(`${own}/dist/worker.js`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync([`${own}/src/**`, `${own}/tsconfig.build.json`]);
  if (sources.every((path) => statSync(path).mtimeMs <= builtAt)) return;
  execFileSync("tsc", ["-p", `${own}/tsconfig.build.json`], { env: environment, stdio: "inherit" });
}
