import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";

/**
 * The project's own binaries come first, including its own Node. Wrangler's prompts, telemetry and look-ups of newer versions are off. Node
 * stores what it has compiled: wrangler alone takes it a third of a second each time.
 */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [`${process.cwd()}/node_modules/.bin`, process.env.PATH].join(delimiter),
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${process.cwd()}/node_modules/.cache/compiled`,
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
