/**
 * `npm run deploy`: refuses with everything that is missing, then builds, migrates the remote database and deploys. With
 * `-- --dry-run` it checks, builds and packs, and needs no account and no network. docs/deploy.md leads through it.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationProblems } from "../app/configuration.ts";
import { run } from "./run.mjs";
import { sourceMapProblems, uploadSourceMaps } from "./source-maps.mjs";

const isDryRun = process.argv.includes("--dry-run");
/** Set once with `wrangler secret put`; nobody can read them back, so what counts is that their names are there. */
const secrets = ["CODE_PEPPER", "VISIT_SECRET"];
const variables = [
  "PUBLIC_ORIGIN",
  "MAIL_FROM",
  "LAUNCH_GATE",
  "SENTRY_DSN",
  "SENTRY_ENVIRONMENT",
  "SENTRY_RELEASE",
  "SENTRY_TRACES_SAMPLE_RATE",
  "SENTRY_TUNNEL_BODY_BYTES_MAX",
  "SENTRY_TUNNEL_FORWARD_ADDRESS",
];

await run("node", ["scripts/build.mjs", ...(isDryRun ? ["--if-stale"] : [])]);
const given = Object.fromEntries(
  variables.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
);
const configured = { ...JSON.parse(readFileSync("build/server/wrangler.json", "utf8")).vars, ...given };
const known = isDryRun ? secrets : await listSecrets();
const problems = configurationProblems({ ...configured, ...Object.fromEntries(known.map((name) => [name, "set"])) });
if (configured.PUBLIC_ORIGIN && !configured.PUBLIC_ORIGIN.startsWith("https:"))
  problems.push("PUBLIC_ORIGIN is not https");
problems.push(...sourceMapProblems(process.env));
if (problems.length > 0) stop(problems);

const vars = Object.entries(given).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
if (isDryRun) {
  const outdir = mkdtempSync(join(tmpdir(), "foyer-deploy-"));
  process.stdout.write(await run("wrangler", ["deploy", "--dry-run", "--outdir", outdir, ...vars]));
} else {
  if (process.env.SENTRY_AUTH_TOKEN) await uploadSourceMaps("build", process.env);
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote"], { quiet: false });
  await run("wrangler", ["deploy", ...vars], { quiet: false });
}

async function listSecrets() {
  try {
    const listed = JSON.parse(await run("wrangler", ["secret", "list", "--format", "json"]));
    return listed.map((secret) => secret.name);
  } catch (error) {
    return stop([`The secrets of the deployed Worker can't be listed; are you logged in? ${error.message}`]);
  }
}

function stop(lines) {
  console.error(`This can't be deployed yet:\n${lines.map((line) => `  - ${line}`).join("\n")}`);
  console.error(
    "Variables come from [vars] and the environment of this command, secrets from `npx wrangler secret put NAME`.",
  );
  process.exit(1);
}
