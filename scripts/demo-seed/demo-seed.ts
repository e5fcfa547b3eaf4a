/**
 * `npm run demo:seed -- --to staging --secrets FILE`: replays the demo on this machine, against the Stripe emulator, and loads its rows into
 * the database of a deployed staging or preview, in place of what is there. It refuses production, and a database with other accounts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { readOptions, stop } from "../command-line.ts";
import { listPeople } from "../demo/start-demo.ts";
import { findAccount } from "../deploy/account.ts";
import { checkedOutBranch } from "../deploy/clone.ts";
import { configFor, readTarget, type Target } from "../deploy/target.ts";
import { askWrangler, selectTarget } from "../deploy/wrangler.ts";
import { run } from "../run.ts";
import { checkDeployed } from "./check-deployed.ts";
import { readSecrets } from "./read-secrets.ts";
import { replayLocally } from "./replay-locally.ts";
import { strangersQuery, writeLoad } from "./write-load.ts";

const usage = `npm run demo:seed -- --to staging|preview --secrets FILE [--replace]

  --to       the deployed Worker whose database gets the demo's customers (of a branch: --branch NAME); never production
  --secrets  what npm run secrets -- --to … --save FILE wrote: the data is encrypted for that Worker
  --replace  also removes accounts and waitlist entries that aren't the demo's`;

const options = readOptions(
  {
    to: { type: "string" },
    branch: { type: "string" },
    secrets: { type: "string" },
    replace: { type: "boolean", default: false },
  },
  usage,
);
if (options.to === undefined) stop(`--to is needed\n\n${usage}`);
const target = findTarget(options.to, options.branch ?? checkedOutBranch());
if (options.secrets === undefined) stop(`--secrets is needed\n\n${usage}`);
const secrets = attempt(() => readSecrets(String(options.secrets)));
const whole = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const config = attempt(() => configFor(whole, target));
const select = selectTarget(config);
const account = await findAccount(config);
if ("problem" in account) stop(account.problem);
const site = await checkDeployed({
  accountId: account.id,
  name: config.name,
  production: whole.name ?? "",
  to: target.kind,
  operatorToken: secrets.OPERATOR_TOKEN,
}).catch(stopWith);

const remote = ["d1", "execute", "DB", ...select, "--remote"];
const strangers = await askWrangler<{ results: { strangers: number }[] }[]>([
  ...remote,
  "--json",
  "--command",
  strangersQuery,
]);
if (!strangers.ok) stop(`The database of ${config.name} can't be read. ${strangers.message}`);
const count = strangers.value[0]?.results[0]?.strangers ?? 0;
if (count > 0 && !options.replace) {
  stop(
    `The database of ${config.name} has ${count} accounts or waitlist entries that aren't the demo's. To remove them: --replace`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "foyer-demo-seed-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
console.log("Replaying the demo on this machine …");
const database = await replayLocally(folder, { ...secrets, PUBLIC_ORIGIN: site.origin }).catch(stopWith);
const file = join(folder, "load.sql");
const rows = writeLoad(database, file);
console.log(`Loading ${rows} rows into ${config.name} …`);
await run("wrangler", [...remote, "--yes", "--file", file]).catch(stopWith);
console.log(`${listPeople()}

  Sign in at ${site.origin}/login with one of these addresses. No email reaches them; the code is printed by
  PUBLIC_ORIGIN=${site.origin} OPERATOR_TOKEN=… npm run ops -- demo-code ADDRESS`);
process.exit(0);

function findTarget(to: string, branch: string | null): Target {
  const found = attempt(() => readTarget(to, branch), `\n\n${usage}`);
  return found.kind === "production" ? stop("The demo is never loaded into production: --to staging") : found;
}

function attempt<Value>(read: () => Value, more = ""): Value {
  try {
    return read();
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}${more}`);
  }
}

function stopWith(error: unknown): never {
  return stop(error instanceof Error ? error.message : String(error));
}
