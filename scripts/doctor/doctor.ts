/**
 * `npm run doctor`: checks a deployed site and prints a line per check, of a problem with its fix; ends with 1 if there is one. The site is
 * that of `--origin`, else of PUBLIC_ORIGIN, else the one that runs from this clone.
 */
import { Resolver } from "node:dns/promises";
import { isOrigin } from "#app/configuration.ts";
import { readOptions, stop } from "../command-line.ts";
import { readDevVars } from "../site/dev-vars.ts";
import { findSite } from "../site/running-site.ts";
import { checks, examine, spell } from "./checks.ts";
import { gather } from "./gather.ts";
import { readDoctorSettings } from "./read-doctor-settings.ts";

const usage = `npm run doctor -- [--origin URL] [--skip CHECK,…]

  OPERATOR_TOKEN                 how the site runs: migrations, cron job, outbox, events
  STRIPE_SECRET_KEY              Stripe's endpoint, deliveries and payment methods
  MAIL_FROM, DKIM_SELECTOR       SPF, DKIM and DMARC of the sender
  CLOUDFLARE_API_TOKEN, …_ACCOUNT_ID   where the database may be stored

Checks: ${Object.keys(checks).join(", ")}`;

const { origin: given, skip } = readOptions({ origin: { type: "string" }, skip: { type: "string" } }, usage);
const skipped = (skip ?? "").split(",").filter((name) => name !== "");
const unknown = skipped.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) stop(`There is no check ${unknown.join(", ")}.\n\n${usage}`);
const site = findSite();
const local = { ...readDevVars(), ...(site && { PUBLIC_ORIGIN: site.origin, STRIPE_API_BASE: site.stripe }) };
const origin = (given ?? process.env["PUBLIC_ORIGIN"] ?? local.PUBLIC_ORIGIN ?? "").replace(/\/$/, "");
if (!isOrigin(origin)) stop(`Which site? PUBLIC_ORIGIN=https://example.com npm run doctor\n\n${usage}`);
console.log(`Asking ${origin}`);
const resolver = new Resolver();
const facts = await gather(readDoctorSettings(process.env, local, origin), (name) => resolver.resolveTxt(name));
const verdicts = examine(facts, skipped);
for (const line of spell(verdicts)) console.log(line);
const problems = Object.values(verdicts).filter(({ state }) => state === "problem").length;
console.log(problems === 0 ? "No problem." : `${problems} to fix.`);
process.exit(problems === 0 ? 0 : 1);
