import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { type BareWorker, startBareWorker } from "../bare-worker.ts";
import { builtSite, bundleWorker, type WorkerModules } from "../worker-modules.ts";

export type Contestant = { name: string; modules: WorkerModules };

/** The baseline first: what a team without its own tunnel would use. */
export async function contestants(): Promise<readonly Contestant[]> {
  return [
    { name: "the SDK's handleTunnelRequest", modules: await bundleWorker("bench/tunnel/sdk-worker.ts") },
    { name: "our tunnel alone", modules: await bundleWorker("bench/tunnel/own-worker.ts") },
    { name: "our tunnel in the built site", modules: builtSite() },
  ];
}

/** Starts it with the variables of a fresh clone, which the site requires. */
export function startContestant({ modules }: Contestant, dsn: string): Promise<BareWorker> {
  const local = Object.entries(parseEnv(readFileSync("scripts/site/local.dev.vars", "utf8")));
  const variables = Object.fromEntries(local.map(([name, value]) => [name, value ?? ""]));
  return startBareWorker(modules, { ...variables, SENTRY_DSN: dsn });
}
