import { emailProblems } from "#app/integrations/email/email-services.ts";
import { isTestKey } from "#app/integrations/stripe/keys.ts";
import { product } from "./product/config.ts";
import { readSigningKeys } from "./modules/billing/entitlements/signing-keys.rules.ts";
import type { ConfigProblem } from "./modules/catalogue/config-problems.rules.ts";
import { checkProduct } from "./check-product.ts";
import { features } from "./features.ts";
import { type ProductConfig } from "./modules/catalogue/rules.ts";
import { parseEmailAddress } from "./core/text/email-address.ts";
import { parseEmailSender } from "./core/text/email-sender.ts";
import { gateProblem } from "./modules/catalogue/gate.rules.ts";

/** Variables that a Worker requires. Stripe's two go together: without the first, paid plans are not on sale yet. */
export const requiredVariables = [
  "PUBLIC_ORIGIN",
  "MAIL_FROM",
  "CODE_PEPPER",
  "VISIT_SECRET",
  "ENTITLEMENT_SIGNING_KEY",
] as const;

/** Secrets that only have to be random: `npm run secrets` generates them. */
export const generatedSecrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY", "OPERATOR_TOKEN"] as const;

/** The webhook secret comes from an endpoint in the key's own account: `npm run stripe:setup` stores both. */
export const stripeSecrets = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

/** Placeholder for a secret that is set but can't be read back. No variable can have it as its value. */
export const secretIsSet = Symbol("a secret that is set");

/** Secrets that an attacker could guess: under an https origin they need at least 32 random characters. */
const guessable = ["CODE_PEPPER", "VISIT_SECRET", "OPERATOR_TOKEN", "EMAIL_WEBHOOK_SECRET"] as const;
/** Minimum characters of a secret under an https origin. */
export const secretLengthMin = 32;

/** Used byte for byte: trimming them would invalidate a live site's sessions and encrypted rows. */
const neverTrimmed: ReadonlySet<string> = new Set(["CODE_PEPPER", "VISIT_SECRET"]);

/** Variables that only local runs and tests may set. */
export const localOnly: readonly string[] = [
  "STRIPE_API_BASE",
  "EMAIL_API_BASE",
  "CLOCK_OFFSET_SECONDS",
  ...features.flatMap(({ variables }) => variables?.localOnly ?? []),
];

/**
 * The variables as the Worker uses them. Values, and the items of each list, lose the white space that pasting or piping adds. Bindings
 * stay as they are.
 */
export function trimVariables<Variables extends object>(variables: Variables): Variables {
  const trimmed = Object.entries(variables).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== "string" || neverTrimmed.has(name)) return [];
    return [[name, name === "STRIPE_WEBHOOK_SECRET" ? itemsOf(value, ",").join(",") : value.trim()] as const];
  });
  return { ...variables, ...Object.fromEntries(trimmed) };
}

function itemsOf(text: string, between: string | RegExp): string[] {
  return text
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/**
 * Everything that is wrong with a set of variables and with the product's config, one sentence each. Empty when a Worker may serve with
 * them. The Worker, `npm start` and `npm run deploy` share this check.
 */
export function configurationProblems(variables: object, config: ProductConfig = product): string[] {
  const values = new Map<string, unknown>(Object.entries(variables));
  const isUnread = (name: string) => values.get(name) === secretIsSet;
  const text = (name: string) => (isUnread(name) ? "unread" : String(values.get(name) ?? "").trim());
  const problems = requiredVariables.filter((name) => text(name) === "").map((name) => `${name} is missing`);
  for (const { path, message, code } of productProblems(config)) {
    problems.push(`app/product/config.ts, ${path}: ${message} (${code})`);
  }
  if (text("STRIPE_SECRET_KEY") !== "" && text("STRIPE_WEBHOOK_SECRET") === "") {
    problems.push("STRIPE_WEBHOOK_SECRET is missing while STRIPE_SECRET_KEY is set");
  }
  const isProduction = (text("SENTRY_ENVIRONMENT") || "production") === "production";
  const sender = text("MAIL_FROM");
  if (sender !== "" && !isUnread("MAIL_FROM") && parseEmailAddress(parseEmailSender(sender).address) === null) {
    problems.push("MAIL_FROM is no sender such as Example <hello@example.com>");
  }
  problems.push(...emailProblems(text));
  problems.push(...features.flatMap(({ variables }) => variables?.problems(text, isProduction) ?? []));
  const signing = text("ENTITLEMENT_SIGNING_KEY");
  if (signing !== "" && !isUnread("ENTITLEMENT_SIGNING_KEY") && !readSigningKeys(signing)) {
    problems.push("ENTITLEMENT_SIGNING_KEY is not a private Ed25519 JWK, or several");
  }
  const origin = text("PUBLIC_ORIGIN");
  if (origin !== "" && !isOrigin(origin)) problems.push("PUBLIC_ORIGIN is not an origin such as https://example.com");
  const gate = text("LAUNCH_GATE");
  const wrongGate = gate === "" ? null : gateProblem(config, gate);
  if (wrongGate !== null) problems.push(`LAUNCH_GATE: ${wrongGate}`);
  if (isTestKey(text("STRIPE_SECRET_KEY")) && isProduction) {
    problems.push("STRIPE_SECRET_KEY is a key of Stripe's test mode while SENTRY_ENVIRONMENT is production");
  }
  if (origin === "" || !isOrigin(origin) || isLocalOrigin(origin)) return problems;
  if (!origin.startsWith("https:")) problems.push(notHttps);
  const readable = [...values.keys()].filter((name) => !isUnread(name));
  return [...problems, ...publicProblems(readable, text)];
}

export const notHttps = "PUBLIC_ORIGIN is not https";

/** Hosts that only this machine or its own network reaches. */
const localHosts = [
  /^[^.[\]]+$/,
  /\.localhost$/,
  /^127\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^\[(::1|f[cd].*)\]$/,
  /\.(local|internal)$/,
];

/** A local run: plain http, to a host that isn't public. */
function isLocalOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && localHosts.some((host) => host.test(hostname));
}

/** What `checkProduct` said of the product when the Worker was built (scripts/site/product-facts.ts). */
declare const PRODUCT_PROBLEMS: readonly ConfigProblem[] | undefined;

function productProblems(config: ProductConfig): readonly ConfigProblem[] {
  return typeof PRODUCT_PROBLEMS === "undefined" ? checkProduct(config) : PRODUCT_PROBLEMS;
}

/** Settings that a publicly reachable site must not have, but a local one may. `names`: those whose values are known. */
function publicProblems(names: string[], text: (name: string) => string): string[] {
  const isShort = (secret: string) => secret.length < secretLengthMin;
  const hooks = names.includes("STRIPE_WEBHOOK_SECRET") ? itemsOf(text("STRIPE_WEBHOOK_SECRET"), ",") : [];
  const isLocal = (name: string) => itemsOf(text(name), /[\s,]/).some((item) => item.startsWith("local-"));
  const isNoHook = (hook: string) => isShort(hook) || !hook.startsWith("whsec_");
  return [
    ...localOnly.filter((name) => text(name) !== "").map((name) => `${name} is for local runs only`),
    ...names.filter(isLocal).map((name) => `${name} still holds its local value`),
    ...guessable
      .filter((name) => names.includes(name) && text(name) !== "" && !isLocal(name) && isShort(text(name)))
      .map((name) => `${name} is shorter than ${secretLengthMin} characters`),
    ...(!isLocal("STRIPE_WEBHOOK_SECRET") && hooks.some(isNoHook)
      ? ["STRIPE_WEBHOOK_SECRET is not a signing secret of Stripe's, whsec_…, or several with commas between"]
      : []),
  ];
}

/** The fewest different characters of a random secret. Even 32 random digits, the poorest of secrets, nearly always have nine or ten. */
const differentCharactersMin = 8;

/** Names of the guessable secrets that are set and don't look random: holding one key down also makes a long secret. */
export function listWeakSecrets(variables: object): string[] {
  const values = new Map<string, unknown>(Object.entries(variables));
  const text = (name: string) => String(values.get(name) ?? "");
  return guessable.filter((name) => text(name) !== "" && !looksRandom(text(name)));
}

function looksRandom(secret: string): boolean {
  // A text that repeats itself occurs in its double before the second copy begins.
  const isRepeated = (secret + secret).indexOf(secret, 1) < secret.length;
  return secret.length >= secretLengthMin && new Set(secret).size >= differentCharactersMin && !isRepeated;
}

/**
 * The site's own address, for links in emails and elsewhere outside the site. It is the configured one, never a Host header. Only a local
 * run takes the port of its request, since plain `wrangler dev --port N` can't set the variables.
 */
export function siteOrigin(configured: string, requestUrl: string | null): string {
  if (requestUrl === null || configured.startsWith("https:")) return configured;
  if (!isLocalhost(configured) || !isLocalhost(requestUrl)) return configured;
  return new URL(requestUrl).origin;
}

/** Where a local run's emails are read: a page of the emulator, which is part of no deployed site. */
export function mailboxOf(variables: { PUBLIC_ORIGIN: string; STRIPE_API_BASE?: string }): string | null {
  const { PUBLIC_ORIGIN, STRIPE_API_BASE } = variables;
  return STRIPE_API_BASE && !PUBLIC_ORIGIN.startsWith("https:") ? `${STRIPE_API_BASE}/mailbox` : null;
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
