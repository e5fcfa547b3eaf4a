import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bundledEmulator, type EmulatorKind } from "./prepared.ts";
import { runWorker } from "./run-worker.ts";

/** The Stripe emulator on its own socket. */
export async function runEmulator(kind: EmulatorKind = "plain", vars: Record<string, string> = {}) {
  const path = resolve("packages/stripe-emulator/emulator.js");
  const contents = readFileSync(await bundledEmulator(kind), "utf8");
  const { port, close } = await runWorker({
    build: {
      configPath: resolve("packages/stripe-emulator/wrangler.toml"),
      modules: [{ type: "ESModule", path, contents }],
    },
    variables: () => vars,
  });
  return { origin: `http://127.0.0.1:${port}`, close };
}
