/**
 * Uploads source maps to the error receiver, so that stack traces show our own lines. Part of `npm run deploy` when SENTRY_AUTH_TOKEN is
 * set. Each built file and its map get the same debug id, by which the receiver matches them.
 */
import { run } from "../run.ts";

/** A token implies a project to upload to, and events carry the release. SENTRY_URL is for self-hosted receivers. */
const needed = ["SENTRY_ORG", "SENTRY_PROJECT", "SENTRY_RELEASE"];

/** One sentence for each missing value; empty when maps can be uploaded, or when no upload is configured. */
export function sourceMapProblems(env: Record<string, string | undefined>): string[] {
  if (!env.SENTRY_AUTH_TOKEN) return [];
  return needed.filter((name) => !env[name]).map((name) => `${name} is missing while SENTRY_AUTH_TOKEN is set`);
}

/** Changes the files in the folder, uploads them with their maps, and throws with the receiver's message on failure. */
export async function uploadSourceMaps(folder: string, settings: Record<string, string | undefined>): Promise<void> {
  const paths = [`${folder}/client/assets`, `${folder}/server`];
  // Ignores configuration files in the project.
  const env = { ...settings, SENTRY_LOAD_DOTENV: "0", SENTRY_DISABLE_UPDATE_CHECK: "true" };
  await run("sentry-cli", ["sourcemaps", "inject", ...paths], { env });
  await run("sentry-cli", ["sourcemaps", "upload", "--release", settings["SENTRY_RELEASE"] ?? "", ...paths], { env });
}
