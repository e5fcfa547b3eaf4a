import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "../run.ts";
import type { configFor } from "./target.ts";

type TargetConfig = Pick<ReturnType<typeof configFor>, "name" | "d1_databases"> & { account_id?: string | undefined };

/**
 * Writes a configuration by which wrangler's commands find a target before anything is built: they need its names alone. Returns the
 * arguments that select it.
 */
export function selectTarget({ name, account_id, d1_databases }: TargetConfig): string[] {
  const file = join(".wrangler/targets", `${name}.json`);
  const databases = d1_databases.map((database) => ({
    ...database,
    migrations_dir: relative(dirname(file), resolve(database.migrations_dir ?? "drizzle")),
  }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ name, account_id, d1_databases: databases }));
  return ["--config", file];
}

export type Answer<Value> = { ok: true; value: Value } | { ok: false; message: string };

/** `Value` is a trust boundary: what wrangler prints as JSON. */
export async function askWrangler<Value>(args: string[]): Promise<Answer<Value>> {
  try {
    const printed = await run("wrangler", args);
    return { ok: true, value: JSON.parse(printed.slice(printed.search(/[[{]/))) };
  } catch (error) {
    return { ok: false, message: messageOfWrangler(error) };
  }
}

export const notLoggedIn = "No one is logged in to Cloudflare: npx wrangler login, or set CLOUDFLARE_API_TOKEN";

/** Wrangler's own advice would set the secret on the newest version, from which the site was taken back. */
const newestNotRunning =
  "Cloudflare sets no secret while the newest version isn't the one that runs, as during a rollout and after going back. End the rollout, or deploy the release that runs again (docs/guides/deploy.md, Going back a release)";

/** Wrangler prints what failed in a line and, after an empty one, the reason with its code. */
export function messageOfWrangler(error: unknown): string {
  const thrown = error instanceof Error ? error.message : String(error);
  // Wrangler's own message names only the token.
  if (thrown.includes("necessary to set a CLOUDFLARE_API_TOKEN")) return notLoggedIn;
  if (thrown.includes("latest version of your Worker isn't currently deployed")) return newestNotRunning;
  const [, what = thrown, why] = /\[ERROR\][^\S\n]*(.+)(?:\n\n {2}(\S.*))?/.exec(stripColours(thrown)) ?? [];
  return why === undefined ? what : `${what} ${why}`;
}

// oxlint-disable-next-line no-control-regex -- colours are control characters
const stripColours = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, "");
