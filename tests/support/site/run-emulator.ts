import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { emulatorConfig, orderKeys } from "../../../scripts/stripe/emulator.ts";
import { bundledEmulator, type EmulatorKind } from "./prepared.ts";
import { runWorker } from "./run-worker.ts";

/** The Stripe emulator on its own socket. */
export async function runEmulator(kind: EmulatorKind = "plain", vars: Record<string, string> = {}) {
  const path = resolve("node_modules/stripe-emulator/emulator.js");
  const contents = readFileSync(await bundledEmulator(kind), "utf8");
  const { port, close } = await runWorker({
    build: {
      configPath: resolve(emulatorConfig),
      modules: [{ type: "ESModule", path, contents }],
    },
    variables: () => ({ ORDER_KEYS: orderKeys, ...vars }),
  });
  return { origin: `http://127.0.0.1:${port}`, close };
}
