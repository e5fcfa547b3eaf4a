/**
 * `npm run secrets`: generates the secrets that the Worker lacks and uploads them in one step; the first one creates the Worker. It never
 * replaces a value, and never prints one. With `-- --save FILE` a copy is written first: secrets can't be read back from Cloudflare.
 */
import { writeFileSync } from "node:fs";
import { unstable_readConfig as readConfig } from "wrangler";
import { readOptions, stop } from "../command-line.ts";
import { findAccount, listSecrets } from "../deploy/account.ts";
import { checkedOutBranch } from "../deploy/clone.ts";
import { configFor, readTarget, type Target } from "../deploy/target.ts";
import { selectTarget } from "../deploy/wrangler.ts";
import { generateSecrets } from "./generate-secrets.ts";
import { uploadSecrets } from "./upload-secrets.ts";

const usage = `npm run secrets -- [--to production|staging|preview] [--save FILE]

  --to         the Worker that gets them; each has its own, also of each branch (--branch NAME)
  --save FILE  writes the new values to a file that only you can read, before they are uploaded`;

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
if (created.length > 0) {
  try {
    if (save !== undefined) writeFileSync(save, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await uploadSecrets(select, secrets);
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
}
for (const name of names) console.log(`  ${name}: was set`);
for (const name of created) console.log(`  ${name}: generated`);

function findTarget(to: string, branch: string | null): Target {
  try {
    return readTarget(to, branch);
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
