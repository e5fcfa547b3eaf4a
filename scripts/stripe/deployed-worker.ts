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
  /** It lacks one of Stripe's two secrets. */
  isSecretLost: boolean;
  /** Stores the signing secret, and the key unless the Worker has one. Returns what was stored, a line each. */
  store: (webhookSecret: string) => Promise<string[]>;
};

/** The Worker of a target, at the address that it has, for which Stripe is set up. Throws what is missing or doesn't fit. */
export async function findDeployedWorker(to: string, branch: string | undefined, key: string): Promise<DeployedWorker> {
  const target = readTarget(to, branch ?? checkedOutBranch());
  const problem = keyProblem(target, key);
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
  if (deployed === null) throw new Error(`${config.name} isn't deployed yet: npm run deploy -- --to ${to}`);
  return {
    origin: deployed,
    isSecretLost: !["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"].every((name) => names.includes(name)),
    async store(webhookSecret) {
      // In one step: a Worker with a key and no signing secret answers 503.
      const isKnown = names.includes("STRIPE_SECRET_KEY");
      const secrets = { STRIPE_WEBHOOK_SECRET: webhookSecret, ...(!isKnown && { STRIPE_SECRET_KEY: key }) };
      await uploadSecrets(select, secrets);
      const stored = `stored     ${Object.keys(secrets).toSorted().join(" and ")} of ${config.name}`;
      return isKnown ? [stored, ...keptKey(config.name)] : [stored];
    },
  };
}

/** Which account the Worker's own key is of can't be read back. */
function keptKey(name: string | undefined): string[] {
  return [
    `attention  ${name} keeps the STRIPE_SECRET_KEY that it had, which has to be of the Stripe account of this command's key.`,
    `           If it is of another one: npx wrangler secret put STRIPE_SECRET_KEY --name ${name}`,
  ];
}

/** Test keys belong to staging and previews, live ones to production. */
function keyProblem({ kind }: Target, key: string): string | null {
  if (!/^(sk|rk)_(test|live)_/.test(key)) {
    return "--to stores the key in the Worker: STRIPE_SECRET_KEY of this command's environment has to be a key of your Stripe account";
  }
  if (kind === "production" && isTestKey(key)) return "Production takes no key of Stripe's test mode: --to staging";
  if (kind !== "production" && !isTestKey(key)) return `A live key belongs to production, not to ${kind}`;
  return null;
}
