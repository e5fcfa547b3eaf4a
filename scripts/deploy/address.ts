import type { Unstable_Config as Config } from "wrangler";
import { askCloudflare } from "./ask-cloudflare.ts";
import { routedHosts } from "./problems.ts";
import { type Target, workersDevOrigin } from "./target.ts";
import { findServingWorker, type ServingWorker, wasAttached } from "./zones.ts";

type Settings = { bindings: { type: string; name: string; text?: string; id?: string; database_id?: string }[] };

type Address = {
  /** PUBLIC_ORIGIN of the Worker that runs. Null if none was deployed. */
  deployed: string | null;
  /** Whether anyone can have used it. False after a deployment that failed before Cloudflare gave the Worker its host. */
  isInUse: boolean;
  /** The address that the account gives the Worker. Null if the account has no workers.dev subdomain yet. */
  ownOrigin: string | null;
  /** The id of the database that the Worker has. Null if it has none, or wasn't deployed. */
  databaseId: string | null;
  /** The Worker's other variables that aren't secret. */
  variables: Record<string, string>;
  /** Another Worker of the account that has the host of `wanted`. */
  servedBy: ServingWorker | null;
};

/** `wanted` is the address that the deployment names, or empty. */
export async function lookAtAddress(accountId: string, name: string, wanted: string): Promise<Address> {
  const [settings, own, worker] = await Promise.all([
    askSettings(accountId, name),
    askCloudflare<{ subdomain: string }>(`/accounts/${accountId}/workers/subdomain`),
    findServingWorker(accountId, wanted),
  ]);
  const { PUBLIC_ORIGIN: deployed, ...variables } = variablesOf(settings);
  const database = settings?.bindings.find(({ type, name: binding }) => type === "d1" && binding === "DB");
  const isMoving = wanted !== "" && deployed !== wanted;
  return {
    deployed: deployed || null,
    isInUse: deployed ? !isMoving || (await wasAttached(accountId, name, deployed)) : false,
    databaseId: database?.id ?? database?.database_id ?? null,
    variables,
    ownOrigin: own?.subdomain ? workersDevOrigin(name, own.subdomain) : null,
    servedBy: worker?.name === name ? null : worker,
  };
}

function askSettings(accountId: string, name: string | undefined): Promise<Settings | null> {
  return askCloudflare<Settings>(`/accounts/${accountId}/workers/scripts/${name}/settings`);
}

function variablesOf(settings: Settings | null): Record<string, string> {
  const texts = settings?.bindings.filter(({ type }) => type === "plain_text") ?? [];
  return Object.fromEntries(texts.map(({ name, text }) => [name, text ?? ""]));
}

/** The address to deploy with: the named one, else the current one, else the account's own for this Worker. */
export function chooseOrigin(wanted: string, { deployed, ownOrigin }: Pick<Address, "deployed" | "ownOrigin">): string {
  return wanted || (deployed ?? ownOrigin ?? "");
}

/** A new account has no address until it has a subdomain, which only its dashboard registers. */
export function subdomainProblems(accountId: string, wanted: string, { deployed, ownOrigin }: Address): string[] {
  if (wanted !== "" || deployed !== null || ownOrigin !== null) return [];
  return [
    `This account has no workers.dev subdomain yet: register one in Cloudflare's dashboard, Workers & Pages (https://dash.cloudflare.com/${accountId}/workers/onboarding), or set PUBLIC_ORIGIN to an address of your own domain`,
  ];
}

/** A deployment must not move a Worker, or take another one's address, as a side effect: passkeys and links in emails belong to it. */
export function addressProblems(
  name: string,
  wanted: string,
  { deployed, isInUse, servedBy }: Pick<Address, "deployed" | "isInUse" | "servedBy">,
): string[] {
  const moving = `The Worker ${name} serves ${deployed}, and PUBLIC_ORIGIN says ${wanted}: another address loses every passkey. If that is what you want, say -- --move-origin`;
  return [
    ...(wanted !== "" && isInUse && deployed !== wanted ? [moving] : []),
    ...(servedBy === null ? [] : [servedProblem(name, wanted, servedBy)]),
  ];
}

function servedProblem(name: string, wanted: string, { name: other, route }: ServingWorker): string {
  const problem = `${wanted} is served by the Worker ${other} of this account, not by ${name}`;
  return route === null
    ? `${problem}. If that is what you want, say -- --move-origin`
    : `${problem}: remove its route ${route}, or choose another address. To deploy behind that route, say -- --move-origin`;
}

/**
 * Staging and previews never get production's address, not even by an option. Its Worker may have it by a route, as a variable, or by
 * `wrangler.toml`, whose address the other targets don't take over. `accountId` is null without the account.
 */
export async function productionProblems(
  accountId: string | null,
  origin: string,
  { kind }: Pick<Target, "kind">,
  production: Pick<Config, "name" | "route" | "routes" | "vars">,
): Promise<string[]> {
  if (kind === "production" || !URL.canParse(origin)) return [];
  const running = accountId === null ? {} : variablesOf(await askSettings(accountId, production.name));
  const named = [production.vars.PUBLIC_ORIGIN, running.PUBLIC_ORIGIN].map((value) => String(value ?? ""));
  const hosts = [
    ...routedHosts(production),
    ...named.flatMap((value) => (URL.canParse(value) ? [new URL(value).hostname] : [])),
  ];
  if (!hosts.includes(new URL(origin).hostname)) return [];
  return [
    `${origin} is production's address, and this deploys ${kind}: name another one in PUBLIC_ORIGIN, or none for the one at workers.dev`,
  ];
}

/** The variable in which a deployment notes whose product the Worker is. */
export const productVariable = "PRODUCT";

/** Two clones with the same name as `resources` would deploy over each other. The running Worker's product then has another name. */
export function productProblems(
  worker: string,
  variables: Record<string, string>,
  product: { name: string },
): string[] {
  const running = variables[productVariable];
  if (!running || running === product.name) return [];
  return [
    `The Worker ${worker} of this account is ${running}'s, and this clone's product is ${product.name}: choose other resources in app/product/config.ts, then npm run brand. If the product has a new name, say -- --renamed`,
  ];
}

/**
 * A restored database has another name, and the damaged one stays. An older commit, another branch or another clone would bring the damaged
 * one back and write to it.
 */
export function databaseProblems(worker: string, wanted: { name: string; id: string | null }, running: string | null) {
  if (running === null || wanted.id === null || running === wanted.id) return [];
  return [
    `wrangler.toml names the database ${wanted.name} (${wanted.id}), and the Worker ${worker} runs with ${running}: after a restore, deploy a commit that names the restored one. If you want another database, say -- --other-database`,
  ];
}
