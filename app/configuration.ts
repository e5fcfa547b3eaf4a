import { product } from "#app/product.config.ts";
import { readSigningKeys } from "#app/domain/devices/signing-keys.rules.ts";
import { readGate } from "#app/domain/product/rules.ts";

/** Names that a Worker can't serve without. Stripe's two go together: without the first, paid plans are not on sale yet. */
const required = ["PUBLIC_ORIGIN", "MAIL_FROM", "CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"] as const;

/** In place of a secret that is there and can't be read back. */
export const secretIsSet = "set";

/** Names that only local runs and tests may set. */
const localOnly = ["STRIPE_API_BASE", "CLOCK_OFFSET_SECONDS"] as const;

/**
 * Everything that is wrong with a set of variables, one sentence each; empty when a Worker may serve with them. The Worker,
 * `npm start` and `npm run deploy` ask the same question.
 */
export function configurationProblems(variables: object): string[] {
  const values = new Map<string, unknown>(Object.entries(variables));
  const text = (name: string) => String(values.get(name) ?? "");
  const problems = required.filter((name) => text(name) === "").map((name) => `${name} is missing`);
  if (text("STRIPE_SECRET_KEY") !== "" && text("STRIPE_WEBHOOK_SECRET") === "") {
    problems.push("STRIPE_WEBHOOK_SECRET is missing while STRIPE_SECRET_KEY is set");
  }
  const signing = text("ENTITLEMENT_SIGNING_KEY");
  if (signing !== "" && signing !== secretIsSet && !readSigningKeys(signing)) {
    problems.push("ENTITLEMENT_SIGNING_KEY is not a private Ed25519 JWK, or several");
  }
  const origin = text("PUBLIC_ORIGIN");
  if (origin !== "" && !isOrigin(origin)) problems.push("PUBLIC_ORIGIN is not an origin such as https://example.com");
  try {
    readGate(product, text("LAUNCH_GATE"));
  } catch {
    problems.push("LAUNCH_GATE is not none, signup or plan:<id>");
  }
  if (!origin.startsWith("https:")) return problems;
  for (const name of localOnly) {
    if (text(name) !== "") problems.push(`${name} is for local runs only`);
  }
  for (const name of values.keys()) {
    if (text(name).startsWith("local-")) problems.push(`${name} still holds its local value`);
  }
  return problems;
}

/**
 * The site's own address, for links in emails and whatever else leaves it. It is the configured one, never what a Host header says; only
 * a local run follows its port, since plain `wrangler dev --port N` can't tell the variables.
 */
export function siteOrigin(configured: string, requestUrl: string | null): string {
  if (requestUrl === null || !isLocalhost(configured) || !isLocalhost(requestUrl)) return configured;
  return new URL(requestUrl).origin;
}

function isLocalhost(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname === "localhost";
}

export function isOrigin(text: string): boolean {
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}
