import type { Unstable_Config as Config } from "wrangler";
import { emailSecrets } from "#app/integrations/email/email-services.ts";
import {
  configurationProblems,
  generatedSecrets,
  isOrigin,
  notHttps,
  secretIsSet,
  stripeSecrets,
} from "#app/configuration.ts";
import { parseDsn } from "#workers/monitoring/envelopes/dsn.rules.ts";
import { featureSecrets } from "#app/set-up-steps.ts";
import { setUpCommands } from "#app/set-up-commands.ts";
import { sourceMapProblems } from "./source-maps.ts";
import type { Target } from "./target.ts";

/** Set once. A dry run assumes that they are set. */
export const secrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY", ...emailSecrets, ...featureSecrets];
export const secretNames = [...secrets, ...stripeSecrets, "OPERATOR_TOKEN", "EMAIL_WEBHOOK_SECRET", "MAINTENANCE"];

type Deployment = {
  config: Pick<Config, "name" | "route" | "routes">;
  /** The values that the Worker will have. */
  vars: Record<string, unknown>;
  secretNames: string[];
  environment: Record<string, string | undefined>;
  target: Target;
};

/** Every problem that can be found offline, one sentence each: what the Worker would refuse, and what only deployments check. */
export function offlineProblems({ config, vars, secretNames: known, environment, target }: Deployment): string[] {
  const text = (name: string) => String(vars[name] ?? "");
  const origin = text("PUBLIC_ORIGIN");
  const asTheWorker = configurationProblems({
    ...Object.fromEntries(known.map((name) => [name, secretIsSet])),
    ...vars,
  });
  return [
    ...asTheWorker.map((problem) => whereToSetIt(problem, String(config.name), target)),
    // Also where the Worker would take it for a local run.
    ...(origin !== "" && !origin.startsWith("https:") && !asTheWorker.includes(notHttps) ? [notHttps] : []),
    ...(isOrigin(origin) ? routeProblems(config, new URL(origin).hostname) : []),
    ...secretNames
      .filter((name) => text(name) !== "")
      .map((name) => {
        const why = name === "MAINTENANCE" ? "where it can't be switched off at once" : "where anyone can read it";
        return `${name} is in [vars], ${why}: ${setUpCommands.putSecret(name, target.kind, String(config.name))}`;
      }),
    ...diagnosticsProblems(text),
    ...sourceMapProblems(environment),
  ];
}

function whereToSetIt(problem: string, worker: string, target: Target): string {
  const missing = /^(\w+) is missing/.exec(problem)?.[1];
  if (missing === undefined || !secretNames.includes(missing)) return problem;
  return `${problem}: ${commandFor(missing, worker, target)}`;
}

function commandFor(secret: string, worker: string, { kind }: Target): string {
  if (generatedSecrets.some((name) => name === secret)) return setUpCommands.generateSecrets(kind);
  if (stripeSecrets.some((name) => name === secret)) return setUpCommands.setUpStripe(kind, false);
  return setUpCommands.putSecret(secret, kind, worker);
}

function diagnosticsProblems(text: (name: string) => string): string[] {
  const dsn = text("SENTRY_DSN");
  const rate = Number(text("SENTRY_TRACES_SAMPLE_RATE") || 0);
  return [
    ...(dsn !== "" && parseDsn(dsn) === null
      ? ["SENTRY_DSN is no address such as https://key@receiver.example/42"]
      : []),
    ...(dsn.startsWith("http:") ? ["SENTRY_DSN is not https"] : []),
    ...(rate >= 0 && rate <= 1 ? [] : ["SENTRY_TRACES_SAMPLE_RATE is not a number from 0 to 1"]),
  ];
}

const workersDev = ".workers.dev";

function routeProblems(config: Deployment["config"], host: string): string[] {
  if (host.endsWith(workersDev)) {
    const isOwn = host.startsWith(`${config.name}.`);
    return isOwn ? [] : [`PUBLIC_ORIGIN is not this Worker's: ${config.name}.<your subdomain>${workersDev}`];
  }
  const hosts = routedHosts(config);
  if (hosts.length === 0 || hosts.includes(host)) return [];
  return [`wrangler.toml leads ${hosts.join(", ")} to the Worker, and PUBLIC_ORIGIN says ${host}`];
}

/**
 * If wrangler.toml names no route, the host of PUBLIC_ORIGIN becomes the Worker's custom domain. A Worker answers at its workers.dev
 * address only if that is its origin, and no version has an address of its own: those would all use the same database.
 */
export function addressOf(config: Deployment["config"], origin: string) {
  const { hostname } = new URL(origin);
  const isOwn = hostname.endsWith(workersDev);
  const isSaid = routedHosts(config).length > 0 || isOwn;
  const address = { workers_dev: isOwn, preview_urls: false };
  return isSaid ? address : { ...address, routes: [{ pattern: hostname, custom_domain: true }] };
}

/** The hosts that become the Worker's custom domains, with a DNS record each. */
export function customDomains(config: Deployment["config"], origin: string): string[] {
  const { route, routes } = isOrigin(origin) ? { ...config, ...addressOf(config, origin) } : config;
  return [route, ...(routes ?? [])].flatMap((one) =>
    typeof one === "object" && "custom_domain" in one && one.custom_domain ? [one.pattern] : [],
  );
}

/** The hosts that wrangler.toml leads to the Worker. */
export function routedHosts({ route, routes }: Pick<Config, "route" | "routes">): string[] {
  const all = [...(route ? [route] : []), ...(routes ?? [])];
  return all.map((one) => (typeof one === "string" ? one : one.pattern).replace(/\/.*$/, ""));
}
