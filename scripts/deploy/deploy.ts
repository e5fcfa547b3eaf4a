/**
 * `npm run deploy`: refuses with everything that is missing or wrong, then builds, migrates the remote database, makes the prices that
 * Stripe lacks, and deploys. With
 * `-- --dry-run` it checks, builds and packs, and needs no account and no network. docs/guides/deploy.md leads through it.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { product } from "#app/product/config.ts";
import { product as sample } from "#tests/support/products/fixed-product.config.ts";
import { setUpCommands } from "#app/set-up-commands.ts";
import { lookAtAccount } from "./account.ts";
import {
  addressProblems,
  chooseOrigin,
  databaseProblems,
  lookAtAddress,
  productionProblems,
  productProblems,
  productVariable,
  subdomainProblems,
} from "./address.ts";
import { isUncommitted, wholeCommit } from "./clone.ts";
import { createDatabase } from "./create-database.ts";
import { deployedVariables } from "./deployed-variables.ts";
import { unmentionedVariables } from "./unmentioned-variables.ts";
import { comparePrices } from "./prices.ts";
import { nextSteps } from "./next-steps.ts";
import { customDomains, offlineProblems, secrets } from "./problems.ts";
import { run } from "../run.ts";
import { generateSecrets } from "../secrets/generate-secrets.ts";
import { uploadSecrets } from "../secrets/upload-secrets.ts";
import { unfinishedValues } from "./sample-values.ts";
import { uploadSourceMaps } from "./source-maps.ts";
import { readDeployOptions } from "./read-deploy-options.ts";
import { configFor, targetCommand, workersDevOrigin } from "./target.ts";
import { writeBuiltConfig } from "./write-built-config.ts";
import { findShares, newestNotServing, shareRequests, outputToWorkflow, uploadVersion } from "./versions.ts";
import { recordProblems, zoneProblems } from "./zones.ts";
import { selectTarget } from "./wrangler.ts";

const {
  isDryRun,
  mayBeDirty,
  mayDropFreePlan,
  mayMoveOrigin,
  mayReplaceRecord,
  mayChangeDatabase,
  isRenamed,
  areMade,
  share: wantedShare,
  target,
  unset,
} = readDeployOptions();
const production = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const config = configFor(production, target);
const select = selectTarget(config);
// The release is a commit that git knows: `npm run rollout -- release` prints it, and `check:previous` checks it out.
const release = process.env.SENTRY_RELEASE || config.vars.SENTRY_RELEASE || wholeCommit();
const environment: Record<string, string | undefined> = {
  ...process.env,
  ...(release ? { SENTRY_RELEASE: String(release) } : {}),
};
const given = Object.fromEntries(
  deployedVariables.flatMap((name) => (environment[name] ? [[name, String(environment[name])]] : [])),
);
const vars: Record<string, unknown> = { ...config.vars, ...given, [productVariable]: product.name };
const wanted = String(vars.PUBLIC_ORIGIN ?? "");
// Secrets can't be read back: only their names are checked. Without the network they are assumed to be set.
const account = isDryRun
  ? { accountId: null, secrets: [...secrets], hasDatabase: true, databaseId: null, soldPrices: [], problems: [] }
  : await lookAtAccount(config, select, product, { mayDropFreePlan });
const { accountId } = account;
const database = { name: config.d1_databases[0]?.database_name ?? "", id: account.databaseId };
const address = accountId === null ? null : await lookAtAddress(accountId, config.name, wanted);
if (address) {
  const staying = unmentionedVariables({ vars, running: address.variables, unset });
  for (const [name, value] of Object.entries(staying)) console.log(`  ${name} stays ${value}`);
  Object.assign(vars, staying, { PUBLIC_ORIGIN: chooseOrigin(wanted, address) });
}
if (isDryRun && wanted === "") {
  vars.PUBLIC_ORIGIN = workersDevOrigin(config.name, "example");
  console.log(`  Without PUBLIC_ORIGIN, a dry run assumes ${vars.PUBLIC_ORIGIN}`);
}
const isNew = address?.deployed === null;
// Cloudflare's own builds have no terminal for `npm run secrets`. The operators' token is left out, since no operator would learn it.
if (isNew && process.env.WORKERS_CI) account.secrets.push(...(await makeSecrets(account.secrets)));
const hosts = accountId === null || mayReplaceRecord ? [] : customDomains(config, String(vars.PUBLIC_ORIGIN));
const prices = await comparePrices({
  product,
  target,
  secretNames: isDryRun ? [] : account.secrets,
  sold: account.soldPrices,
  environment: process.env,
  origin: String(vars.PUBLIC_ORIGIN),
  isRenamed,
  areMade,
});
// Both versions would find the same prices at Stripe, and each sells at its own alone.
const share = prices.missing.length > 0 ? null : wantedShare;
if (wantedShare !== share) console.log("  Prices change: all requests go to the new version, without --share");
const replaced = await recordProblems(String(accountId), config.name, hosts);
if (replaced === null)
  console.log(
    `  Cloudflare doesn't say whether ${hosts.join(", ")} has a DNS record, which this deployment would replace`,
  );
const problems = [
  ...offlineProblems({ config, vars, secretNames: account.secrets, environment, target }),
  ...account.problems,
  ...prices.problems,
  ...(address && accountId ? subdomainProblems(accountId, wanted, address) : []),
  ...(accountId ? await zoneProblems(accountId, String(vars.PUBLIC_ORIGIN)) : []),
  ...(replaced ?? []),
  ...(await productionProblems(accountId, String(vars.PUBLIC_ORIGIN ?? ""), target, production)),
  ...(address && !mayMoveOrigin ? addressProblems(config.name, wanted, address) : []),
  ...(address && !mayChangeDatabase ? databaseProblems(config.name, database, address.databaseId) : []),
  ...(address && !isRenamed ? productProblems(config.name, address.variables, product) : []),
];
const withoutAffinity =
  "--share needs a domain of your own: at workers.dev no rule keeps a visitor on one version, and pages lose their files. Leave it out";
// Secrets alone create a Worker with an empty version, which must not answer customers.
const isShared = share !== null && accountId !== null && !isNew;
if (share !== null && isNew) console.log("  The first deployment: all requests go to it, without --share");
const { shares: serving, problems: unlisted } = isShared ? await findShares(select) : { shares: [], problems: [] };
problems.push(...unlisted);
if (serving.length > 1) problems.push(rolloutUnderWay());
if (isShared && String(vars.PUBLIC_ORIGIN).endsWith(".workers.dev")) problems.push(withoutAffinity);
if (!account.hasDatabase && !isNew) problems.push(missingDatabase());
const uncommitted =
  "There are changes that are not committed: commit them, so that what is deployed can be found again";
if (isUncommitted() && !isDryRun && !mayBeDirty) problems.push(`${uncommitted}, or say -- --dirty`);
// After the button's first deployment, the site itself says what is missing.
const isOpen = isNew && Boolean(process.env.WORKERS_CI);
if (problems.some((problem) => !(isOpen && problem === "MAIL_FROM is missing"))) stop(problems);
for (const unfinished of unfinishedValues({ product, sample })) console.log(`  ${unfinished}`);
if (isUncommitted() && isDryRun) console.log(`  ${uncommitted}.`);
if (!isDryRun) console.log(`  ${config.name} at ${vars.PUBLIC_ORIGIN}`);

await run("node", ["scripts/site/build.ts", "--if-stale"]);
const builtConfig = writeBuiltConfig(target, vars);
const deploy = ["deploy", "--config", builtConfig];
let arePricesMade = false;
try {
  if (isDryRun) {
    const outdir = mkdtempSync(join(tmpdir(), "foyer-deploy-"));
    process.stdout.write(await run("wrangler", [...deploy, "--dry-run", "--outdir", outdir]));
  } else {
    if (process.env.SENTRY_AUTH_TOKEN) await uploadSourceMaps("build", environment);
    if (!account.hasDatabase) await createDatabase(config, product);
    await run("wrangler", ["d1", "migrations", "apply", "DB", ...select, "--remote"], { quiet: false });
    await makePrices();
    const [former] = serving;
    if (share === null || !former) await run("wrangler", deploy, { quiet: false });
    else {
      const version = await uploadVersion(builtConfig);
      outputToWorkflow("version", version);
      await shareRequests(select, [
        { version_id: version, percentage: share },
        { ...former, percentage: 100 - share },
      ]).catch((error: unknown) => {
        console.error(newestNotServing(target));
        throw error;
      });
      // Domains and cron belong to no version.
      await run("wrangler", ["triggers", "deploy", "--config", builtConfig], { quiet: false });
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (arePricesMade) console.error(pricesOfNewVersion());
  process.exit(1);
}
if (!isDryRun) {
  const deployed = { origin: String(vars.PUBLIC_ORIGIN), name: config.name, to: target.kind };
  console.log(
    nextSteps({ ...deployed, secretNames: account.secrets, problems })
      .map((line) => `  ${line}`)
      .join("\n"),
  );
}

/** Before the code that shows them runs. */
async function makePrices(): Promise<void> {
  if (prices.missing.length === 0) return;
  for (const difference of prices.missing) console.log(`  ${difference}`);
  await prices.make();
  arePricesMade = true;
}

function pricesOfNewVersion(): string {
  return `Stripe has this version's prices now, and the version that runs sells at none but its own: deploy again, or run ${setUpCommands.setUpStripe(target.kind, false)} in a clone of the release that runs`;
}

/** Generates the secrets that the new Worker lacks, as far as they can be generated. Returns their names. */
async function makeSecrets(known: readonly string[]): Promise<string[]> {
  const made = generateSecrets([...known, "OPERATOR_TOKEN"]);
  if (Object.keys(made).length > 0) await uploadSecrets(select, made);
  return Object.keys(made);
}

function rolloutUnderWay(): string {
  return `A rollout is under way: ${targetCommand("rollout", target, "100")}, or ${targetCommand("rollout", target, "back")}`;
}

/** The Worker has run with a database. If an empty one took its place, customers would notice first. */
function missingDatabase(): string {
  return `The account has no database ${database.name}, and the Worker ${config.name} has run with one. If it has another name, write that as database_name in wrangler.toml`;
}

function stop(lines: string[]): never {
  console.error(`This can't be deployed yet:\n${lines.map((line) => `  - ${line}`).join("\n")}`);
  console.error(
    "Variables come from [vars] in wrangler.toml and the environment of this command; docs/guides/deploy.md leads through all of it.",
  );
  process.exit(1);
}
