/**
 * `npm run deploy`: refuses with everything that is missing, then builds, migrates the remote database and deploys. With
 * `-- --dry-run` it checks, builds and packs, and needs no account and no network. docs/deploy.md leads through it.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationProblems } from "../app/configuration.ts";
import { run } from "./run.mjs";

const isDryRun = process.argv.includes("--dry-run");
/** Set once with `wrangler secret put`; nobody can read them back, so what counts is that their names are there. */
const secrets = ["CODE_PEPPER", "VISIT_SECRET"];
const variables = ["PUBLIC_ORIGIN", "MAIL_FROM", "LAUNCH_GATE", "SENTRY_DSN", "SENTRY_ENVIRONMENT", "SENTRY_RELEASE"];

const given = Object.fromEntries(
  variables.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
);
const known = isDryRun ? secrets : await listSecrets();
const problems = configurationProblems({
  ...given,
  ...Object.fromEntries(known.map((name) => [name, "set"])),
}).concat(given.PUBLIC_ORIGIN && !given.PUBLIC_ORIGIN.startsWith("https:") ? ["PUBLIC_ORIGIN is not https"] : []);
if (problems.length > 0) {
  console.error(`This can't be deployed yet:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
  console.error("Variables come from the environment of this command, secrets from `npx wrangler secret put NAME`.");
  process.exit(1);
}

const vars = Object.entries(given).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
if (isDryRun) {
  await run("node", ["scripts/build.mjs", "--if-stale"]);
  const outdir = mkdtempSync(join(tmpdir(), "foyer-deploy-"));
  process.stdout.write(await run("wrangler", ["deploy", "--dry-run", "--outdir", outdir, ...vars]));
} else {
  await run("node", ["scripts/build.mjs"], { quiet: false });
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote"], { quiet: false });
  await run("wrangler", ["deploy", ...vars], { quiet: false });
}

async function listSecrets() {
  const listed = JSON.parse(await run("wrangler", ["secret", "list", "--format", "json"]).catch(() => "[]"));
  return listed.map((secret) => secret.name);
}
