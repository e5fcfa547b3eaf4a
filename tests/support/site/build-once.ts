import { spawn } from "node:child_process";
import { once } from "node:events";
import { buildEmulator } from "../../../scripts/stripe/emulator.ts";
import { bundledEmulator, migratedDatabase } from "./prepared.ts";

/**
 * The HTTP suite tests what would be deployed: the built Worker, rebuilt when a source is newer. Also creates the
 * JSON Schema of the SDK's types, which is cached for as long as the SDK stays.
 */
export default async function setup() {
  buildEmulator();
  await Promise.all([
    run("scripts/site/build.ts", "--if-stale"),
    run("tests/stripe/contract/generate.ts"),
    migratedDatabase(),
    bundledEmulator("plain"),
    bundledEmulator("recording"),
  ]);
}

async function run(script: string, ...options: string[]): Promise<void> {
  const child = spawn("node", [script, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
}
