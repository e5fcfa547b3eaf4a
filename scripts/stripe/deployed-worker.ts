import { unstable_readConfig as readConfig } from "wrangler";
import { isTestKey } from "#app/integrations/stripe/keys.ts";
import { findAccount, listSecrets } from "../deploy/account.ts";
import { lookAtAddress } from "../deploy/address.ts";
import { checkedOutBranch } from "../deploy/clone.ts";
import { configFor, readTarget, type Target } from "../deploy/target.ts";
import { selectTarget } from "../deploy/wrangler.ts";
import { uploadSecrets } from "../secrets/upload-secrets.ts";

export type DeployedWorker = {
  origin: string;
  /** The Worker lacks one of Stripe's two secrets, or its key is replaced: both have to come from one account. */
  needsSecret: boolean;
  /** Stores the signing secret, and with it the key unless the Worker keeps its own. Returns what was stored, a line each. */
  store: (webhookSecret: string) => Promise<string[]>;
};

/** `setUp` is the key of this command. `worker` is the one that the Worker gets, or empty. */
export type Keys = { setUp: string; worker: string };

/** Finds the Worker that Stripe is set up for, at its current address. Throws an error that says what is missing or doesn't fit. */
export async function findDeployedWorker(to: string, branch: string | undefined, keys: Keys): Promise<DeployedWorker> {
  const target = readTarget(to, branch ?? checkedOutBranch());
  const problem = keyProblem(target, keys);
  if (problem !== null) throw new Error(problem);
  const config = configFor(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }), target);
  const select = selectTarget(config);
  const account = await findAccount(config);
  if ("problem" in account) throw new Error(account.problem);
  const [{ names, problems }, { deployed }] = await Promise.all([
    listSecrets(select),
    lookAtAddress(account.id, config.name, ""),
  ]);
  if (problems[0] !== undefined) throw new Error(problems[0]);
  const hasKey = names.includes("STRIPE_SECRET_KEY");
  if (deployed === null) throw new Error(notDeployed(String(config.name), to, hasKey));
  if (!hasKey && keys.worker === "" && keys.setUp.startsWith("rk_")) throw new Error(needsKey(to, keys.setUp));
  const given = keys.worker || (hasKey ? null : keys.setUp);
  return {
    origin: deployed,
    needsSecret: given !== null || !names.includes("STRIPE_WEBHOOK_SECRET"),
    async store(webhookSecret) {
      // In one step: a Worker with a key and no signing secret answers 503.
      const secrets = { STRIPE_WEBHOOK_SECRET: webhookSecret, ...(given !== null && { STRIPE_SECRET_KEY: given }) };
      await uploadSecrets(select, secrets);
      const stored = `stored     ${Object.keys(secrets).toSorted().join(" and ")} of ${config.name}`;
      return given === null ? [stored, ...keptKey(config.name)] : [stored];
    },
  };
}

/** A deployment refuses a key without a signing secret, which has to wait for the Worker's address. */
function notDeployed(name: string, to: string, hasKey: boolean): string {
  const first = hasKey ? `npx wrangler secret delete STRIPE_SECRET_KEY --name ${name}, then ` : "";
  return `${name} isn't deployed yet: ${first}npm run deploy -- --to ${to}`;
}

/** A restricted key that can set up Stripe can't take payments, unless it was made for both: its permissions can't be read. */
function needsKey(to: string, setUpKey: string): string {
  const [start] = setUpKey.split(/(?<=_(?:test|live)_)/);
  return `The Worker has no key of Stripe's, and this command's is a restricted one, which may be too narrow for payments. Name the Worker's own; both are stored in one step with the signing secret:
  STRIPE_SECRET_KEY=${start}… WORKER_STRIPE_SECRET_KEY=${start}… npm run stripe:setup -- --to ${to}`;
}

/** Which account the Worker's own key belongs to can't be read back. */
function keptKey(name: string | undefined): string[] {
  return [
    `attention  ${name} keeps the STRIPE_SECRET_KEY that it had, which has to be of the Stripe account of this command's key.`,
    "           If it is of another one: run this again with WORKER_STRIPE_SECRET_KEY, which replaces it",
  ];
}

/** Test keys belong to staging and previews, live ones to production. */
function keyProblem({ kind }: Target, { setUp, worker }: Keys): string | null {
  const isKey = (key: string) => /^(sk|rk)_(test|live)_/.test(key);
  if (!isKey(setUp)) {
    return "--to is for a deployed Worker: STRIPE_SECRET_KEY of this command's environment has to be a key of your Stripe account";
  }
  if (worker !== "" && !isKey(worker))
    return "WORKER_STRIPE_SECRET_KEY is no key of Stripe's: those begin with sk_ or rk_";
  if (worker !== "" && isTestKey(worker) !== isTestKey(setUp)) {
    return "WORKER_STRIPE_SECRET_KEY and STRIPE_SECRET_KEY are of two modes: one is a test key, the other a live one";
  }
  if (kind === "production" && isTestKey(setUp)) return "Production takes no key of Stripe's test mode: --to staging";
  if (kind !== "production" && !isTestKey(setUp)) return `A live key belongs to production, not to ${kind}`;
  return null;
}
