import { spawn } from "node:child_process";
import { once } from "node:events";

/** Creates the JSON Schema of the SDK's types, which is cached for as long as the SDK stays. */
export default async function setup() {
  const child = spawn("node", ["tests/stripe/contract/generate.ts"], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The contract with Stripe's types can't be made: ${code}`);
}
