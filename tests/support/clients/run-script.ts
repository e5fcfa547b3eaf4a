import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** Runs one of our scripts until it ends; it isn't logged in to Cloudflare unless `env` says so. `problems`: the lines of its list. */
export async function runScript(script: string, args: readonly string[], env: Record<string, string> = {}) {
  const started = spawn("node", [script, ...args], {
    env: { ...process.env, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "", ...env },
  });
  const ended = new Promise<number | null>((resolve) => started.on("exit", resolve));
  const [output, errors] = await Promise.all([text(started.stdout), text(started.stderr)]);
  return { output: output + errors, problems: errors.match(/(?<=^ {2}- ).+/gm) ?? [], status: await ended };
}
