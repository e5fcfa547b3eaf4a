/**
 * `npm run deploy`: refuses with everything that is missing or wrong, then builds, migrates the remote database and deploys. With
 * `-- --dry-run` it checks, builds and packs, and needs no account and no network. docs/guides/deploy.md leads through it.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { unstable_readConfig as readConfig } from "wrangler";
import { product } from "#app/product/config.ts";
import { lookAtAccount } from "./account.ts";
import { isUncommitted, sampleValues } from "./clone.ts";
import { domainArguments, offlineProblems, secrets } from "./problems.ts";
import { run } from "../run.ts";
import { uploadSourceMaps } from "./source-maps.ts";

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

const usage = `npm run deploy -- [--dry-run] [--dirty] [--drop-free-plan]

  --dry-run  checks, builds and packs; needs no account and no network
  --dirty    deploys although there are changes that aren't committed
  --drop-free-plan
             deploys a config without the free plan that accounts use now; their access ends

Variables come from [vars] in wrangler.toml and the environment of this command:
  ${variables.join("\n  ")}
docs/guides/deploy.md leads through all of it.`;

const { isDryRun, mayBeDirty, mayDropFreePlan } = readArguments();
const config = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const given = Object.fromEntries(
  variables.flatMap((name) => (process.env[name] ? [[name, String(process.env[name])]] : [])),
);
const vars = { ...config.vars, ...given };
// Secrets can't be read back: only their names are checked. Without the network they are assumed to be set.
const account = isDryRun
  ? { secrets: [...secrets], problems: [] }
  : await lookAtAccount(config, product, { mayDropFreePlan });
const problems = [
  ...offlineProblems({ config, vars, secretNames: account.secrets, environment: process.env }),
  ...account.problems,
];
const uncommitted =
  "There are changes that are not committed: commit them, so that what is deployed can be found again";
if (isUncommitted() && !isDryRun && !mayBeDirty) problems.push(`${uncommitted}, or say -- --dirty`);
if (problems.length > 0) stop(problems);
for (const value of sampleValues()) console.log(`  Still the sample's: ${value}`);
if (isUncommitted() && isDryRun) console.log(`  ${uncommitted}.`);

await run("node", ["scripts/site/build.ts", "--if-stale"]);
const deploy = [
  "deploy",
  ...domainArguments(config, String(vars.PUBLIC_ORIGIN)),
  ...Object.entries(given).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
];
try {
  if (isDryRun) {
    const outdir = mkdtempSync(join(tmpdir(), "foyer-deploy-"));
    process.stdout.write(await run("wrangler", [...deploy, "--dry-run", "--outdir", outdir]));
  } else {
    if (process.env.SENTRY_AUTH_TOKEN) await uploadSourceMaps("build", process.env);
    await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote"], { quiet: false });
    await run("wrangler", deploy, { quiet: false });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function readArguments() {
  try {
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({
      options: { "dry-run": flag, dirty: flag, "drop-free-plan": flag, help: { ...flag, short: "h" } },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return { isDryRun: values["dry-run"], mayBeDirty: values.dirty, mayDropFreePlan: values["drop-free-plan"] };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(1);
  }
}

function stop(lines: string[]): never {
  console.error(`This can't be deployed yet:\n${lines.map((line) => `  - ${line}`).join("\n")}`);
  console.error(
    "Variables come from [vars] in wrangler.toml and the environment of this command; docs/guides/deploy.md leads through all of it.",
  );
  process.exit(1);
}
