import type { Unstable_Config as Config } from "wrangler";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import {
  droppedFreePlan,
  droppedPlans,
  type OnFreePlan,
  onFreePlanQuery,
  type PlanInUse,
  plansInUseQuery,
} from "./plans.ts";
import { type SoldPrices, soldPricesQuery } from "./prices.ts";
import { secrets as required } from "./problems.ts";
import { type Answer, askWrangler, notLoggedIn } from "./wrangler.ts";

type Found = {
  /** Null if Cloudflare can't be asked. */
  accountId: string | null;
  secrets: string[];
  hasDatabase: boolean;
  /** The id of the database that `wrangler.toml` names. Null if there is none. */
  databaseId: string | null;
  /** The prices that the running Worker sells at. */
  soldPrices: SoldPrices[];
  problems: string[];
};

/**
 * What Cloudflare stores about this Worker: the signed-in account, the database, and the names of the secrets. Anything that can't be
 * queried isn't reported as missing. `select` is wrangler's arguments for the target.
 */
export async function lookAtAccount(
  config: Config,
  select: string[],
  product: ProductConfig,
  { mayDropFreePlan }: { mayDropFreePlan: boolean },
): Promise<Found> {
  const account = await findAccount(config);
  if ("problem" in account) {
    const unknown = { accountId: null, secrets: [...required], hasDatabase: true, databaseId: null, soldPrices: [] };
    return { ...unknown, problems: [account.problem] };
  }
  const [database, secrets] = await Promise.all([lookForDatabase(config), listSecrets(select)]);
  const hasDatabase = database.isThere;
  const plans = hasDatabase ? await lookForDroppedPlans(select, product) : [];
  const isAsked = hasDatabase && freePlan(product) === null && !mayDropFreePlan;
  const free = isAsked ? await lookForDroppedFreePlan(select, product) : [];
  // Without the key of Stripe nothing is on sale.
  const isSelling = hasDatabase && secrets.names.includes("STRIPE_SECRET_KEY");
  const sold = isSelling ? await query<SoldPrices>(select, soldPricesQuery) : null;
  const problems = [
    ...database.problems,
    ...secrets.problems,
    ...plans,
    ...free,
    ...(sold?.ok === false ? [sold.message] : []),
  ];
  const soldPrices = sold?.ok ? sold.value : [];
  return { accountId: account.id, secrets: secrets.names, hasDatabase, databaseId: database.id, soldPrices, problems };
}

/** The account that wrangler works in, or why Cloudflare can't be asked. */
export async function findAccount(config: Config): Promise<{ id: string } | { problem: string }> {
  const answer = await askWrangler<{ loggedIn: boolean; accounts: { id: string; name: string }[] }>([
    "whoami",
    "--json",
  ]);
  if (!answer.ok || !answer.value.loggedIn) {
    return { problem: `${notLoggedIn}. Database and secrets are not looked at before that` };
  }
  const { accounts } = answer.value;
  const named = config.account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  if (named) return { id: named };
  const [only, ...others] = accounts;
  if (only && others.length === 0) return { id: only.id };
  const names = accounts.map(({ id, name }) => `${name} is ${id}`).join(", ");
  return { problem: `This login has several accounts: set CLOUDFLARE_ACCOUNT_ID (${names})` };
}

type Database = { isThere: boolean; id: string | null; problems: string[] };

export async function lookForDatabase({ d1_databases }: Config): Promise<Database> {
  const wanted = d1_databases.find(({ binding }) => binding === "DB");
  if (!wanted?.database_name) return { isThere: true, id: null, problems: ["wrangler.toml names no database for DB"] };
  const name = wanted.database_name;
  const answer = await askWrangler<{ uuid: string; name: string }[]>(["d1", "list", "--json"]);
  if (!answer.ok) {
    return { isThere: true, id: null, problems: [`The databases of the account can't be listed. ${answer.message}`] };
  }
  const found = answer.value.find((database) => database.name === name);
  const isAnother = found && wanted.database_id && wanted.database_id !== found.uuid;
  const another = `wrangler.toml has database_id ${wanted.database_id}, and the account's ${name} is ${found?.uuid}`;
  return { isThere: found !== undefined, id: found?.uuid ?? null, problems: isAnother ? [another] : [] };
}

async function lookForDroppedPlans(select: string[], product: ProductConfig): Promise<string[]> {
  const inUse = await query<PlanInUse>(select, plansInUseQuery);
  return inUse.ok ? droppedPlans(product, inUse.value) : [inUse.message];
}

async function lookForDroppedFreePlan(select: string[], product: ProductConfig): Promise<string[]> {
  const onFreePlan = await query<OnFreePlan>(select, onFreePlanQuery);
  return onFreePlan.ok ? droppedFreePlan(product, onFreePlan.value) : [onFreePlan.message];
}

/** Rows of the remote database. Empty before the first deployment, when there are no tables. */
async function query<Row>(select: string[], command: string): Promise<Answer<Row[]>> {
  const remote = ["--remote", "--json", "--command", command];
  const answer = await askWrangler<{ results: Row[] }[]>(["d1", "execute", "DB", ...select, ...remote]);
  if (answer.ok) return { ok: true, value: answer.value.flatMap(({ results }) => results) };
  if (/no such table/.test(answer.message)) return { ok: true, value: [] };
  return { ok: false, message: `The plans in use can't be read from the database. ${answer.message}` };
}

/** The names of the Worker's secrets. Empty before there is a Worker. */
export async function listSecrets(select: string[]): Promise<{ names: string[]; problems: string[] }> {
  const answer = await askWrangler<{ name: string }[]>(["secret", "list", ...select, "--format", "json"]);
  if (answer.ok) return { names: answer.value.map(({ name }) => name), problems: [] };
  // Before the first deployment there is no Worker; the first secret creates it.
  if (/Worker "[^"]*" not found|does not exist/.test(answer.message)) return { names: [], problems: [] };
  return { names: [...required], problems: [`The secrets of the Worker can't be listed. ${answer.message}`] };
}
