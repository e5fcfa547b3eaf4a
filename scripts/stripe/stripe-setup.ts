/**
 * `npm run stripe:setup`: creates what the site sells and needs in the Stripe account of STRIPE_SECRET_KEY and STRIPE_API_BASE.
 * Changes only what differs from app/product/config.ts and prints one line per object; with `-- --dry-run` it changes nothing.
 */
import { parseArgs } from "node:util";
import Stripe from "stripe";
import { product } from "#app/product/config.ts";
import { readDevVars } from "../site/dev-vars.ts";
import { findSite } from "../site/running-site.ts";
import { messageOf } from "./refusals.ts";
import { API_VERSION, setUpStripe } from "./set-up.ts";
import { readSettings, settingProblems } from "./settings.ts";

const isDryRun = readArguments();
const running = findSite();
const settings = readSettings(process.env, {
  ...readDevVars(),
  ...(running && { PUBLIC_ORIGIN: running.origin, STRIPE_API_BASE: running.stripe }),
});
const problems = settingProblems(settings);
if (problems.length > 0) {
  stop(`Stripe can't be set up yet:\n${problems.map((problem) => `  - ${problem}`).join("\n")}
STRIPE_SECRET_KEY and PUBLIC_ORIGIN come from the environment of this command; without a key there, all of it is .dev.vars'.`);
}
const base = settings.apiBase === "" ? null : new URL(settings.apiBase);
const stripe = new Stripe(settings.key, {
  apiVersion: API_VERSION,
  telemetry: false,
  maxNetworkRetries: 2,
  ...(base && {
    host: base.hostname,
    port: base.port || undefined,
    protocol: base.protocol === "http:" ? "http" : "https",
  }),
});
try {
  const { origin } = settings;
  console.log(`Asking ${base?.origin ?? "Stripe"} for the site at ${origin}`);
  await setUpStripe({ stripe, product, origin, isDryRun, log: (line) => console.log(line) });
} catch (error) {
  stop(messageOf(error, base?.origin ?? "Stripe"));
}

function readArguments(): boolean {
  try {
    const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
    return values["dry-run"];
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
