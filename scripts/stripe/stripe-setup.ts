/**
 * `npm run stripe:setup`: creates what the site sells and needs in the Stripe account of STRIPE_SECRET_KEY and STRIPE_API_BASE.
 * Changes only what differs from app/product/config.ts and prints one line per object; with `-- --dry-run` it changes nothing. With
 * `-- --to staging` it also stores both secrets in that Worker, so that none is copied by hand.
 */
import { product } from "#app/product/config.ts";
import { readOptions, stop } from "../command-line.ts";
import { readDevVars } from "../site/dev-vars.ts";
import { findSite } from "../site/running-site.ts";
import { findDeployedWorker } from "./deployed-worker.ts";
import { openStripe } from "./open-stripe.ts";
import { messageOf } from "./refusals.ts";
import { setUpStripe } from "./set-up.ts";
import { isLiveKey, readSettings, settingProblems } from "./settings.ts";

const usage = `STRIPE_SECRET_KEY=sk_test_… npm run stripe:setup -- [--to production|staging|preview] [--dry-run] [--renamed]

  --to       for the deployed Worker, at its address; stores the Worker's key and the signing secret in it (of a branch: --branch NAME)
  --live     with a live key and without --to: the secrets are set by hand
  --dry-run  prints what would be done
  --renamed  the product in app/product/config.ts has a new name: what Stripe has under the former one becomes its

With --to, WORKER_STRIPE_SECRET_KEY is the key that the Worker gets; it replaces the one that it has. Unless it is set, the Worker keeps its
key, and one without a key gets STRIPE_SECRET_KEY, if that is an unrestricted one (sk_…).
Without --to, PUBLIC_ORIGIN is the site's address.`;

const options = readOptions(
  {
    to: { type: "string" },
    branch: { type: "string" },
    live: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    renamed: { type: "boolean", default: false },
  },
  usage,
);
const isDryRun = options["dry-run"];
const { to } = options;
const running = findSite();
const settings = readSettings(process.env, {
  ...readDevVars(),
  ...(running && { PUBLIC_ORIGIN: running.origin, STRIPE_API_BASE: running.stripe }),
});
const keys = { setUp: settings.key, worker: process.env.WORKER_STRIPE_SECRET_KEY ?? "" };
const worker = to === undefined ? null : await findDeployedWorker(to, options.branch, keys).catch(stopWith);
if (worker && process.env.PUBLIC_ORIGIN && process.env.PUBLIC_ORIGIN !== worker.origin) {
  stop(`PUBLIC_ORIGIN is ${process.env.PUBLIC_ORIGIN}, and the Worker serves ${worker.origin}`);
}
if (worker) settings.origin = worker.origin;
const problems = settingProblems(settings);
if (problems.length === 0 && isLiveKey(settings.key) && !worker && !options.live) {
  problems.push("The key is a live one: --to production, or --live to set the secrets by hand");
}
if (keys.worker !== "" && !worker) {
  problems.push("WORKER_STRIPE_SECRET_KEY is for a deployed Worker: --to production, staging or preview");
}
if (problems.length > 0) {
  stop(`Stripe can't be set up yet:\n${problems.map((problem) => `  - ${problem}`).join("\n")}
STRIPE_SECRET_KEY and PUBLIC_ORIGIN come from the environment of this command; without a key there, all of it is .dev.vars'.`);
}
const base = settings.apiBase === "" ? null : new URL(settings.apiBase);
const stripe = openStripe(settings);
try {
  const { origin } = settings;
  console.log(`Asking ${base?.origin ?? "Stripe"} for the site at ${origin}`);
  const log = (line: string) => console.log(line);
  await setUpStripe({
    stripe,
    product,
    origin,
    workerStripe: keys.worker === "" ? undefined : openStripe({ ...settings, key: keys.worker }),
    isDryRun,
    isRenamed: options.renamed,
    log,
    needsSecret: worker?.needsSecret ?? false,
    async keepSecret(webhookSecret) {
      if (worker) {
        for (const line of await worker.store(webhookSecret)) log(line);
        return;
      }
      if (webhookSecret.startsWith("local-")) return;
      log(
        "           Stripe's dashboard shows its signing secret: set it as STRIPE_WEBHOOK_SECRET, or run this with --to",
      );
    },
  });
  if (worker && !isDryRun) log(`\nNext: ${origin}/set-up leads you through a first payment.`);
} catch (error) {
  stop(messageOf(error, base?.origin ?? "Stripe"));
}

function stopWith(error: unknown): never {
  return stop(error instanceof Error ? error.message : String(error));
}
