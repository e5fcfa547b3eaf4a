import { parseArgs } from "node:util";
import { checkedOutBranch } from "./clone.ts";
import { deployedVariables } from "./deployed-variables.ts";
import { readTarget } from "./target.ts";

const usage = `npm run deploy -- [--to production|staging|preview] [--dry-run] [--dirty] [--drop-free-plan] [--move-origin] [--replace-dns-record] [--renamed] [--other-database] [--prices-made] [--unset NAME] [--share N]

  --to       staging has a Worker, a database and secrets of its own, and Stripe's test keys; preview is a staging for the branch
  --branch   the name of the preview, in place of the branch's
  --dry-run  checks, builds and packs; needs no account and no network
  --dirty    deploys although there are changes that aren't committed; the release then has no name
  --drop-free-plan
             deploys a config without the free plan that accounts use now; their access ends
  --move-origin
             deploys the Worker to another address than it has; every passkey is lost
  --replace-dns-record
             deploys although the host of PUBLIC_ORIGIN has a DNS record already, which is removed
  --renamed  deploys although the Worker runs a product of another name
  --other-database
             deploys with another database than the Worker has, as after a restore from an export
  --prices-made
             deploys other prices than the Worker has without STRIPE_SECRET_KEY: npm run stripe:setup has made them
  --unset NAME
             removes a variable that the Worker has; all others that aren't given stay
  --share    gives the new version that share of the requests, in percent; npm run rollout continues. A first deployment
             has no other version to share with, and gets all of them

With STRIPE_SECRET_KEY in its environment, as npm run stripe:setup gets it, the command first makes the prices that Stripe
lacks. A plan whose price there is another than the site's isn't on sale.

Variables come from [vars] in wrangler.toml and the environment of this command:
  ${deployedVariables.join("\n  ")}
Without SENTRY_RELEASE, the release is the commit that is checked out.
Without PUBLIC_ORIGIN, the Worker keeps the address it has; a new one gets the account's workers.dev address, and a dry
run assumes one.
docs/guides/deploy.md leads through all of it.`;

/** Ends the command after `--help`, and with the usage if the options are wrong. */
export function readDeployOptions() {
  try {
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({
      options: {
        to: { type: "string", default: "production" },
        branch: { type: "string" },
        "dry-run": flag,
        dirty: flag,
        "drop-free-plan": flag,
        "move-origin": flag,
        "other-database": flag,
        "replace-dns-record": flag,
        "prices-made": flag,
        renamed: flag,
        share: { type: "string" },
        unset: { type: "string", multiple: true, default: [] },
        help: { ...flag, short: "h" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (values.share !== undefined && values["move-origin"])
      throw new Error("--share gives two versions one address: leave it out with --move-origin");
    return {
      isDryRun: values["dry-run"],
      mayBeDirty: values.dirty,
      mayDropFreePlan: values["drop-free-plan"],
      mayMoveOrigin: values["move-origin"],
      mayChangeDatabase: values["other-database"],
      mayReplaceRecord: values["replace-dns-record"],
      isRenamed: values.renamed,
      areMade: values["prices-made"],
      share: readShare(values.share),
      target: readTarget(values.to, values.branch ?? checkedOutBranch()),
      unset: values.unset,
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(1);
  }
}

/** Null means all requests at once. */
function readShare(text: string | undefined): number | null {
  if (text === undefined) return null;
  const share = Number(text);
  if (!Number.isInteger(share) || share < 1 || share > 99) throw new Error(`--share is 1 to 99 percent, not ${text}`);
  return share;
}
