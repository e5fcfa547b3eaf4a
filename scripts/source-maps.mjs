/**
 * Source maps to the error receiver, so that its stacks name our own lines. Part of `npm run deploy` when SENTRY_AUTH_TOKEN is
 * set. Each built file gets a debug id that its map has too, which is how the receiver finds the one for the other.
 */
import { run } from "./run.mjs";

/** Whoever has a token has a project to upload to, and events carry the release. SENTRY_URL is for receivers of one's own. */
const needed = ["SENTRY_ORG", "SENTRY_PROJECT", "SENTRY_RELEASE"];

/** One sentence for each value that is missing; empty when maps can be uploaded, and when nobody wants them to be. */
export function sourceMapProblems(env) {
  if (!env.SENTRY_AUTH_TOKEN) return [];
  return needed.filter((name) => !env[name]).map((name) => `${name} is missing while SENTRY_AUTH_TOKEN is set`);
}

/** Changes the files in the folder, uploads them with their maps, and throws with the receiver's words when that fails. */
export async function uploadSourceMaps(folder, settings) {
  const paths = [`${folder}/client/assets`, `${folder}/server`];
  // A file beside the project has nothing to say.
  const env = { ...settings, SENTRY_LOAD_DOTENV: "0", SENTRY_DISABLE_UPDATE_CHECK: "true" };
  await run("sentry-cli", ["sourcemaps", "inject", ...paths], { env });
  await run("sentry-cli", ["sourcemaps", "upload", "--release", settings.SENTRY_RELEASE, ...paths], { env });
}
