/**
 * `npm run doctor`: checks a deployed site and prints a line per check, with the fix of each problem. Ends with 1 if there is a problem.
 * The site is that of `--origin`, else the address of the Worker that `--to` names, else that of PUBLIC_ORIGIN, else the one that runs from
 * this clone.
 */
import { Resolver } from "node:dns/promises";
import { unstable_readConfig as readConfig } from "wrangler";
import { isOrigin } from "#app/configuration.ts";
import { readOptions, stop } from "../command-line.ts";
import { findAccount } from "../deploy/account.ts";
import { lookAtAddress } from "../deploy/address.ts";
import { checkedOutBranch } from "../deploy/clone.ts";
import { configFor, readTarget, targetCommand } from "../deploy/target.ts";
import { readDevVars } from "../site/dev-vars.ts";
import { findSite } from "../site/running-site.ts";
import { checks, examine, spell } from "./checks.ts";
import { gather } from "./gather.ts";
import { readDoctorSettings } from "./read-doctor-settings.ts";

const usage = `npm run doctor -- [--origin URL] [--to production|staging|preview] [--skip CHECK,…]

  --to     whose Worker and database it is; of a branch's preview: --branch NAME. Without --origin, at the address that the Worker has
  --skip   leaves checks out

  OPERATOR_TOKEN                 how the site runs: migrations, cron job, outbox, events
  STRIPE_SECRET_KEY              Stripe's endpoint, deliveries and payment methods
  MAIL_FROM                      SPF, DKIM and DMARC of the sender
  EMAIL_SERVICE                  who sends the emails, unless the site says so or wrangler.toml has it
  DKIM_SELECTOR, RETURN_PATH     the sender's own, of a service that doesn't fix them
  CLOUDFLARE_API_TOKEN, …_ACCOUNT_ID   where the database may be stored

Checks: ${Object.keys(checks).join(", ")}`;

const {
  origin: given,
  skip,
  to,
  branch,
} = readOptions(
  { origin: { type: "string" }, skip: { type: "string" }, to: { type: "string" }, branch: { type: "string" } },
  usage,
);
const skipped = (skip ?? "").split(",").filter((name) => name !== "");
const unknown = skipped.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) stop(`There is no check ${unknown.join(", ")}.\n\n${usage}`);
const site = findSite();
const local = { ...readDevVars(), ...(site && { PUBLIC_ORIGIN: site.origin, STRIPE_API_BASE: site.stripe }) };
const config = await readTargetConfig().catch((error: unknown) =>
  stop(error instanceof Error ? error.message : String(error)),
);
const origin = withoutSlash(given ?? (await findOrigin()) ?? "");
if (!isOrigin(origin)) stop(`Which site? PUBLIC_ORIGIN=https://example.com npm run doctor\n\n${usage}`);
console.log(`Asking ${origin}`);
const resolver = new Resolver();
const facts = await gather(readDoctorSettings(process.env, local, origin, config), (name) => resolver.resolveTxt(name));
const verdicts = examine(facts, skipped);
for (const line of spell(verdicts)) console.log(line);
const problems = Object.values(verdicts).filter(({ state }) => state === "problem").length;
console.log(problems === 0 ? "No problem." : `${problems} to fix.`);
process.exit(problems === 0 ? 0 : 1);

async function readTargetConfig() {
  return configFor(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }), namedTarget());
}

function namedTarget() {
  return readTarget(to ?? "production", branch ?? checkedOutBranch());
}

/** A target's address as Cloudflare has it. Without a target, PUBLIC_ORIGIN or the site that runs from this clone. */
async function findOrigin(): Promise<string | undefined> {
  const named = process.env["PUBLIC_ORIGIN"] ?? "";
  if (to === undefined) return named || local.PUBLIC_ORIGIN;
  // Only this needs wrangler's login.
  const account = await findAccount(config);
  if ("problem" in account) return stop(account.problem);
  const { deployed } = await lookAtAddress(account.id, config.name, "");
  if (deployed === null) return stop(`${config.name} isn't deployed yet: ${targetCommand("deploy", namedTarget())}`);
  if (named !== "" && withoutSlash(named) !== deployed)
    return stop(
      `PUBLIC_ORIGIN is ${named}, and the Worker ${config.name} serves ${deployed}: unset it, or leave --to out`,
    );
  return deployed;
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}
