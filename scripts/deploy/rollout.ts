/**
 * `npm run rollout`: after `npm run deploy -- --share 10`, gives the new version a larger share of the requests, all of them, or none
 * (`-- back`). docs/guides/deploy.md leads through it.
 */
import { parseArgs } from "node:util";
import { unstable_readConfig as readConfig } from "wrangler";
import { checkedOutBranch } from "./clone.ts";
import { configFor, readTarget } from "./target.ts";
import { findShares, shareRequests } from "./versions.ts";
import { selectTarget } from "./wrangler.ts";

const usage = `npm run rollout -- [--to production|staging|preview] SHARE|back

  SHARE  of the requests that the new version answers, in percent: 1 to 100
  back   the version before answers all of them again; migrations stay`;

try {
  const { percentage, select } = readArguments();
  const [newest, former] = await findShares(select);
  if (!newest || !former) throw new Error("No rollout is under way: npm run deploy -- --share 10 begins one");
  await shareRequests(select, [
    { ...newest, percentage },
    { ...former, percentage: 100 - percentage },
  ]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: "string", default: "production" }, branch: { type: "string" } },
  });
  const [share = ""] = positionals;
  const percentage = share === "back" ? 0 : Number(share);
  const isShare = Number.isInteger(percentage) && percentage <= 100 && (percentage > 0 || share === "back");
  if (positionals.length !== 1 || !isShare) throw new Error(usage);
  const target = readTarget(values.to, values.branch ?? checkedOutBranch());
  return {
    percentage,
    select: selectTarget(configFor(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }), target)),
  };
}
