import type { Unstable_Config as Config } from "wrangler";
import { run } from "../run.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import {
  droppedFreePlan,
  droppedPlans,
  type OnFreePlan,
  onFreePlanQuery,
  type PlanInUse,
  plansInUseQuery,
} from "./plans.ts";
import { secrets as required } from "./problems.ts";

type Found = { secrets: string[]; problems: string[] };

/**
 * What Cloudflare stores about this Worker: the signed-in account, the database, and the names of the secrets. Anything that can't be
 * queried isn't reported as missing.
 */
export async function lookAtAccount(
  config: Config,
  product: ProductConfig,
  { mayDropFreePlan }: { mayDropFreePlan: boolean },
): Promise<Found> {
  const stranger = await loginProblem(config);
  if (stranger !== null) return { secrets: [...required], problems: [stranger] };
  const [database, secrets] = await Promise.all([lookForDatabase(config), listSecrets()]);
  const plans = database.length === 0 ? await lookForDroppedPlans(product) : [];
  const isAsked = database.length === 0 && freePlan(product) === null && !mayDropFreePlan;
  const free = isAsked ? await lookForDroppedFreePlan(product) : [];
  return { secrets: secrets.names, problems: [...database, ...secrets.problems, ...plans, ...free] };
}

/** Why Cloudflare can't be asked; null: it can. */
export async function loginProblem(config: Config): Promise<string | null> {
  const answer = await ask<{ loggedIn: boolean; accounts: { id: string; name: string }[] }>(["whoami", "--json"]);
  if (!answer.ok || !answer.value.loggedIn) {
    return "Nobody is logged in to Cloudflare: npx wrangler login, or set CLOUDFLARE_API_TOKEN. Database and secrets are not looked at before that";
  }
  const { accounts } = answer.value;
  if (accounts.length <= 1 || config.account_id || process.env.CLOUDFLARE_ACCOUNT_ID) return null;
  const names = accounts.map(({ id, name }) => `${name} is ${id}`).join(", ");
  return `This login has several accounts: set CLOUDFLARE_ACCOUNT_ID (${names})`;
}

async function lookForDatabase({ d1_databases }: Config): Promise<string[]> {
  const wanted = d1_databases.find(({ binding }) => binding === "DB");
  if (!wanted?.database_name) return ["wrangler.toml names no database for DB"];
  const name = wanted.database_name;
  const answer = await ask<{ uuid: string; name: string }[]>(["d1", "list", "--json"]);
  if (!answer.ok) return [`The databases of the account can't be listed. ${answer.message}`];
  const found = answer.value.find((database) => database.name === name);
  if (!found) return [`The account has no database ${name}: npx wrangler d1 create ${name}`];
  if (!wanted.database_id || wanted.database_id === found.uuid) return [];
  return [`wrangler.toml has database_id ${wanted.database_id}, and the account's ${name} is ${found.uuid}`];
}

async function lookForDroppedPlans(product: ProductConfig): Promise<string[]> {
  const inUse = await query<PlanInUse>(plansInUseQuery);
  return inUse.ok ? droppedPlans(product, inUse.value) : [inUse.message];
}

async function lookForDroppedFreePlan(product: ProductConfig): Promise<string[]> {
  const onFreePlan = await query<OnFreePlan>(onFreePlanQuery);
  return onFreePlan.ok ? droppedFreePlan(product, onFreePlan.value) : [onFreePlan.message];
}

/** Rows of the remote database; none before the first deployment, when there are no tables. */
async function query<Row>(command: string): Promise<Answer<Row[]>> {
  const answer = await ask<{ results: Row[] }[]>(["d1", "execute", "DB", "--remote", "--json", "--command", command]);
  if (answer.ok) return { ok: true, value: answer.value.flatMap(({ results }) => results) };
  if (/no such table/.test(answer.message)) return { ok: true, value: [] };
  return { ok: false, message: `The plans in use can't be read from the database. ${answer.message}` };
}

/** The names of the Worker's secrets; none before there is a Worker. */
export async function listSecrets(): Promise<{ names: string[]; problems: string[] }> {
  const answer = await ask<{ name: string }[]>(["secret", "list", "--format", "json"]);
  if (answer.ok) return { names: answer.value.map(({ name }) => name), problems: [] };
  // Before the first deployment there is no Worker; the first secret creates it.
  if (/Worker "[^"]*" not found|does not exist/.test(answer.message)) return { names: [], problems: [] };
  return { names: [...required], problems: [`The secrets of the Worker can't be listed. ${answer.message}`] };
}

type Answer<Value> = { ok: true; value: Value } | { ok: false; message: string };

/** `Value` is a trust boundary: what wrangler prints as JSON. */
async function ask<Value>(args: string[]): Promise<Answer<Value>> {
  try {
    const printed = await run("wrangler", args);
    return { ok: true, value: JSON.parse(printed.slice(printed.search(/[[{]/))) };
  } catch (error) {
    const thrown = error instanceof Error ? error.message : String(error);
    const [, message = thrown] = /\[ERROR\][^\S\n]*(.+)/.exec(stripColours(thrown)) ?? [];
    return { ok: false, message };
  }
}

// oxlint-disable-next-line no-control-regex -- colours are control characters
const stripColours = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, "");
