/**
 * `npm run rollout`: after `npm run deploy -- --share 10`, gives the new version a larger share of the requests, all of them, or none
 * (`-- back`); `-- watch` asks it for ten minutes how it is. docs/guides/deploy.md leads through it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { unstable_readConfig as readConfig } from "wrangler";
import { readCommandLine } from "../command-line.ts";
import { checkedOutBranch } from "./clone.ts";
import { configFor, readTarget, targetCommand } from "./target.ts";
import { findRelease, findShares, newestNotServing, outputToWorkflow, type Share, shareRequests } from "./versions.ts";
import { listFailingJobs, watchVersion } from "./watch-version.ts";
import { selectTarget } from "./wrangler.ts";

const minuteMs = 60_000;

const usage = `npm run rollout -- [--to production|staging|preview] SHARE|back|failing|watch|release

  --to   whose versions they are; of a branch's preview: --branch NAME
  SHARE  of the requests that the new version answers, in percent: 1 to 100
  back   the version before answers all of them again; migrations stay
  failing  prints the cron jobs that fail now, commas between, for the FAILING_JOBS of a later watch; nothing if none does
  watch  asks the new version each minute for /healthz, the home page, sign-in and sign-up, loads the home page and its
         files as visitors do, and fails with the first bad answer: PUBLIC_ORIGIN names the site, and with OPERATOR_TOKEN
         a cron job that begins to fail is one, too, other than FAILING_JOBS; --minutes N, 10 unless given
  release  prints the release that runs, the commit that was deployed; during a rollout, the one before`;

/** `name` is the option by which wrangler finds a Worker that isn't production's. */
const oneVersion = (name: string) =>
  `One version answers all requests: no rollout is under way. npx wrangler versions list${name} has those before it, for npx wrangler rollback <id>${name}`;

type Order =
  | { do: "watch"; minutes: number }
  | { do: "failing" }
  | { do: "release" }
  | { do: "share"; percentage: number };

try {
  const { order, config, target } = readArguments();
  if (order.do === "failing") {
    await printFailingJobs();
    process.exit();
  }
  const select = selectTarget(config);
  const { shares, problems, isNewestServing } = await findShares(select);
  if (problems[0] !== undefined) throw new Error(problems[0]);
  const [newest, former] = shares;
  if (order.do === "watch") await watch(newest, String(config.name), order.minutes);
  else if (order.do === "release") await printRelease(select, former ?? newest);
  else if (newest && !former && [0, 100].includes(order.percentage)) {
    console.log(oneVersion(target.kind === "production" ? "" : ` --name ${config.name}`));
    if (!isNewestServing) console.log(newestNotServing(target));
  } else if (newest && former) {
    await shareRequests(select, [
      { ...newest, percentage: order.percentage },
      { ...former, percentage: 100 - order.percentage },
    ]);
    if (order.percentage === 0) console.log(newestNotServing(target));
  } else throw new Error(`No rollout is under way: ${targetCommand("deploy", target, "--share", "10")} begins one`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function printRelease(select: string[], running: Share | undefined): Promise<void> {
  const release = running ? await findRelease(select, running) : null;
  if (release !== null) outputToWorkflow("release", release);
  console.log(release ?? (running ? "The Worker was deployed without SENTRY_RELEASE" : "Nothing is deployed yet"));
}

async function printFailingJobs(): Promise<void> {
  const failing = (await listFailingJobs(namedSite(), fetch)).join(",");
  outputToWorkflow("failing", failing);
  console.log(failing);
}

function namedSite() {
  const { PUBLIC_ORIGIN: origin, OPERATOR_TOKEN: operatorToken } = process.env;
  if (!origin) throw new Error("PUBLIC_ORIGIN is missing: the address of the site");
  return { origin, operatorToken };
}

async function watch(newest: Share | undefined, worker: string, minutes: number): Promise<void> {
  const { FAILING_JOBS: failing } = process.env;
  const site = namedSite();
  if (!newest) throw new Error("Nothing is deployed yet");
  const failedBefore = failing === undefined ? null : failing.split(",").filter((job) => job !== "");
  const watched = { ...site, worker, version: newest.version_id, minutes, failedBefore };
  await watchVersion(watched, { ask: fetch, pause: () => pause(minuteMs) });
}

function readArguments() {
  const { values, positionals } = readCommandLine(
    {
      to: { type: "string", default: "production" },
      branch: { type: "string" },
      minutes: { type: "string", default: "10" },
    },
    usage,
  );
  const [word = ""] = positionals;
  const order = readOrder(word, Number(values.minutes));
  if (positionals.length !== 1 || order === null) throw new Error(usage);
  const target = readTarget(values.to, values.branch ?? checkedOutBranch());
  return { order, target, config: configFor(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }), target) };
}

function readOrder(word: string, minutes: number): Order | null {
  if (word === "watch") return Number.isInteger(minutes) && minutes > 0 ? { do: "watch", minutes } : null;
  if (word === "release" || word === "failing") return { do: word };
  const percentage = word === "back" ? 0 : Number(word);
  const isShare = Number.isInteger(percentage) && percentage <= 100 && (percentage > 0 || word === "back");
  return isShare ? { do: "share", percentage } : null;
}
