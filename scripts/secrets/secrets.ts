/**
 * `npm run secrets -- --save FILE`: generates the secrets that the Worker lacks, writes them to the file, and uploads them in one step; the
 * first one creates the Worker. It never replaces a value, and never prints one. Without a copy, no one could ever use the operators' token:
 * secrets can't be read back from Cloudflare.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { unstable_readConfig as readConfig } from "wrangler";
import { readOptions, stop } from "../command-line.ts";
import { findAccount, listSecrets } from "../deploy/account.ts";
import { checkedOutBranch } from "../deploy/clone.ts";
import { configFor, readTarget, type Target } from "../deploy/target.ts";
import { selectTarget } from "../deploy/wrangler.ts";
import { generateSecrets } from "./generate-secrets.ts";
import { uploadSecrets } from "./upload-secrets.ts";

const usage = `npm run secrets -- [--to production|staging|preview] --save FILE

  --to         the Worker that gets them; each has its own, also of each branch (--branch NAME)
  --save FILE  writes the new values to a file that only you can read, before they are uploaded; keep it outside the
               repository. It isn't needed if nothing is missing`;

const { save, to, branch } = readOptions(
  { to: { type: "string", default: "production" }, branch: { type: "string" }, save: { type: "string" } },
  usage,
);
const target = findTarget(to, branch ?? checkedOutBranch());
const config = configFor(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }), target);
const select = selectTarget(config);
const account = await findAccount(config);
const { names, problems } =
  "problem" in account ? { names: [], problems: [account.problem] } : await listSecrets(select);
if (problems.length > 0) stop(problems.join("\n"));
const secrets = generateSecrets(names);
const created = Object.keys(secrets);
if (created.length > 0) await saveAndUpload(save);
for (const name of names) console.log(`  ${name}: was set`);
for (const name of created) console.log(`  ${name}: generated`);

/**
 * All of them are uploaded or none, since a copy of values that were never set would only mislead. If Cloudflare set them and its answer
 * was lost, the copy is the only one.
 */
async function saveAndUpload(file: string | undefined): Promise<void> {
  if (file === undefined)
    return stop(
      `${created.join(", ")}: not generated, since they can't be read back later. Say where a copy is saved:\n\n${usage}`,
    );
  if (existsSync(file)) return stop(`${file} exists, and may hold the values of another Worker. Name a new file.`);
  try {
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    return stop(`${file} can't be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    await uploadSecrets(select, secrets);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const { names: nowSet, problems: unlisted } = await listSecrets(select);
    const isUnset = unlisted.length === 0 && created.every((name) => !nowSet.includes(name));
    if (!isUnset)
      return stop(`${why}\nThe Worker may have these values: keep ${file}, and look with npx wrangler secret list.`);
    rmSync(file);
    stop(why);
  }
}

function findTarget(to: string, branch: string | null): Target {
  try {
    return readTarget(to, branch);
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
