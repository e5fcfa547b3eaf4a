import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";

/** The project's own binaries come first, including its own Node; wrangler's prompts and telemetry are off. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [`${process.cwd()}/node_modules/.bin`, process.env.PATH].join(delimiter),
  WRANGLER_SEND_METRICS: "false",
  CI: process.env.CI ?? "1",
};

/** Runs a command until it exits; throws with its output when it fails. */
export async function run(
  command: string,
  args: string[],
  { quiet = true, env = {}, input }: { quiet?: boolean; env?: Record<string, string | undefined>; input?: string } = {},
): Promise<string> {
  const child = spawn(command, args, { env: { ...environment, ...env }, stdio: quiet ? "pipe" : "inherit" });
  if (input !== undefined) child.stdin?.end(input);
  let printed = "";
  child.stdout?.on("data", (text: Buffer) => (printed += text));
  child.stderr?.on("data", (text: Buffer) => (printed += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}\n${printed}`);
  return printed;
}
