/**
 * `npm run deploy:remove -- --to preview`: deletes a preview or staging: Stripe's webhook endpoint, the Worker, its key-value store and its
 * database. Its configuration of Stripe's portal is made inactive, since Stripe deletes none. Refuses production and asks for nothing.
 * After a failure, run it again: it says what is gone already.
 */
import { unstable_readConfig as readConfig } from "wrangler";
import { product } from "#app/product/config.ts";
import { readOptions, stop } from "../command-line.ts";
import { run } from "../run.ts";
import { openStripe } from "../stripe/open-stripe.ts";
import { listPortals } from "../stripe/portal.ts";
import { isLiveKey, readSettings } from "../stripe/settings.ts";
import { listEndpoints } from "../stripe/webhook.ts";
import { findAccount } from "./account.ts";
import { lookAtAddress, productProblems } from "./address.ts";
import { askCloudflare } from "./ask-cloudflare.ts";
import { checkedOutBranch } from "./clone.ts";
import { configFor, readTarget } from "./target.ts";
import { askWrangler, selectTarget } from "./wrangler.ts";

const usage = `STRIPE_SECRET_KEY=sk_test_… npm run deploy:remove -- --to staging|preview

  --to      what is deleted, with all its data: preview is the one of the branch
  --branch  the name of the preview, in place of the branch's
  --renamed deletes it although it runs a product of another name

Without STRIPE_SECRET_KEY, Stripe's webhook endpoint and portal configuration stay, and Stripe reports the endpoint's failures.`;

const { to, branch, renamed } = readOptions(
  { to: { type: "string" }, branch: { type: "string" }, renamed: { type: "boolean", default: false } },
  usage,
);
const { key, apiBase } = readSettings(process.env, {});

try {
  await remove();
} catch (error) {
  stop(`${error instanceof Error ? error.message : String(error)}\nRun this again: it continues from there.`);
}

async function remove(): Promise<void> {
  const config = readRemoved();
  const { name } = config;
  const account = await findAccount(config);
  if ("problem" in account) stop(account.problem);
  // The address is known only while the Worker exists. Later runs take the one that the account gives it.
  const { deployed, ownOrigin, variables } = await lookAtAddress(account.id, name, process.env.PUBLIC_ORIGIN ?? "");
  const [another] = renamed ? [] : productProblems(name, variables, product);
  if (another !== undefined) stop(another);
  await removeFromStripe(process.env.PUBLIC_ORIGIN || (deployed ?? ownOrigin));
  const select = selectTarget(config);
  const isThere = (await askCloudflare(`/accounts/${account.id}/workers/scripts/${name}/settings`)) !== null;
  await report(`Worker ${name}`, isThere && (() => run("wrangler", ["delete", ...select, "--force"])));
  for (const { binding } of config.kv_namespaces) {
    const title = `${name}-${binding.toLowerCase().replaceAll("_", "-")}`;
    const stores = await list<{ id: string; title: string }>(["kv", "namespace", "list", ...select]);
    const id = stores.find((store) => store.title === title)?.id;
    const args = ["kv", "namespace", "delete", ...select, "--skip-confirmation", "--namespace-id"];
    await report(`KV namespace ${title}`, id !== undefined && (() => run("wrangler", [...args, id])));
  }
  for (const { database_name: database = "" } of config.d1_databases) {
    const databases = await list<{ name: string }>(["d1", "list", "--json", ...select]);
    const hasDatabase = databases.some((each) => each.name === database);
    const args = ["d1", "delete", database, ...select, "--skip-confirmation"];
    await report(`database ${database}`, hasDatabase && (() => run("wrangler", args)));
  }
}

function readRemoved() {
  if (to === undefined) return stop(usage);
  if (isLiveKey(key)) return stop("A live key belongs to production: STRIPE_SECRET_KEY is a test key here, or absent");
  const target = readTarget(to, branch ?? checkedOutBranch());
  if (target.kind === "production") return stop("Production isn't removed by a command: --to staging or --to preview");
  return configFor(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }), target);
}

async function removeFromStripe(origin: string | null): Promise<void> {
  const url = `${origin ?? ""}/webhooks/stripe`;
  const portal = `Stripe's portal configuration of ${origin ?? ""}`;
  if (key === "") {
    for (const what of [`Stripe's endpoint ${url}`, portal])
      say("not looked for", `${what}: STRIPE_SECRET_KEY=sk_test_…`);
    return;
  }
  const stripe = openStripe({ key, apiBase });
  const endpoints = await listEndpoints(stripe, url);
  if (endpoints.length === 0) await report(`Stripe's endpoint ${url}`, false);
  for (const { id } of endpoints) await report(`Stripe's endpoint ${url}`, () => stripe.webhookEndpoints.del(id));
  // Stripe refuses to make the account's default inactive.
  const portals = (await listPortals(stripe, origin ?? "")).filter(({ is_default }) => !is_default);
  if (portals.length === 0) await report(portal, false);
  for (const { id } of portals) {
    await stripe.billingPortal.configurations.update(id, { active: false });
    say("made inactive", portal);
  }
}

/** `removal` is false if there is nothing to remove. */
async function report(what: string, removal: false | (() => Promise<unknown>)): Promise<void> {
  if (removal !== false) await removal();
  say(removal === false ? "wasn't there" : "removed", what);
}

function say(result: string, what: string): void {
  console.log(result.padEnd(16) + what);
}

async function list<Item>(args: string[]): Promise<Item[]> {
  const answer = await askWrangler<Item[]>(args);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}
