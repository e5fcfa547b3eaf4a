import { readdirSync } from "node:fs";
import { askCloudflare } from "../deploy/ask-cloudflare.ts";

type Settings = { bindings: { type: string; name: string; text?: string }[] };
type Health = { stripe?: string; newestMigration?: string | null };
type Deployment = { accountId: string; name: string; production: string; to: string; operatorToken: string };

/** Finds the deployed Worker that the demo is loaded into. Throws unless Cloudflare and the site itself say that it isn't production's. */
export async function checkDeployed({
  accountId,
  name,
  production,
  to,
  operatorToken,
}: Deployment): Promise<{ origin: string }> {
  const [own, ofProduction] = await Promise.all([readVariables(accountId, name), readVariables(accountId, production)]);
  const origin = own?.get("PUBLIC_ORIGIN");
  if (!own || !origin) throw new Error(`${name} isn't deployed: npm run deploy -- --to ${to}`);
  const environment = own.get("SENTRY_ENVIRONMENT") || "production";
  if (environment === "production") throw new Error(`${name} runs with SENTRY_ENVIRONMENT production`);
  if (origin === ofProduction?.get("PUBLIC_ORIGIN")) throw new Error(`${origin} is the address of ${production}`);
  const { stripe, newestMigration } = await readHealth(origin, operatorToken);
  if (stripe === "live") throw new Error(`${origin} has a live key of Stripe's: the demo is never loaded there`);
  if (newestMigration !== newestOfClone()) {
    throw new Error(`${origin} has another schema than this clone: npm run deploy -- --to ${to}`);
  }
  return { origin };
}

/** Null if there is no such Worker. */
async function readVariables(accountId: string, name: string): Promise<Map<string, string> | null> {
  const settings = await askCloudflare<Settings>(`/accounts/${accountId}/workers/scripts/${name}/settings`);
  const texts = settings?.bindings.filter(({ type }) => type === "plain_text");
  return texts ? new Map(texts.map((binding) => [binding.name, binding.text ?? ""])) : null;
}

/** The token proves that the secrets are this Worker's. */
async function readHealth(origin: string, operatorToken: string): Promise<Health> {
  const answer = await fetch(`${origin}/healthz`, {
    headers: { Authorization: `Bearer ${operatorToken}` },
    signal: AbortSignal.timeout(15_000),
  }).catch(() => null);
  if (answer?.status === 401)
    throw new Error(`${origin} refuses the OPERATOR_TOKEN: the file has another Worker's secrets`);
  if (!answer?.ok) throw new Error(`${origin}/healthz answers ${answer?.status ?? "nothing"}: is the site set up?`);
  // The report as this release writes it. Another release has another schema.
  return (await answer.json()) as Health;
}

function newestOfClone(): string | undefined {
  return readdirSync("drizzle")
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .at(-1);
}
