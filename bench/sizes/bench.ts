import buildOnce from "#tests/support/site/build-once.ts";
import { budgets } from "#tests/support/site/budgets.ts";
import { fontWeight, pageWeights, workerWeight } from "#tests/support/site/weights.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildBehind } from "../build-behind.ts";
import { startDirectSite, startDirectWorker } from "../direct-worker.ts";
import { buildBarePage } from "../pages/bare-page.ts";
import { Asker } from "../pages/asker.ts";
import { inTurns, median, medianRatio, ratio } from "../rounds.ts";
import { figure, type Table } from "../table.ts";

/** The size of the build, compared with its limit, and the time a new isolate takes for its first page, compared with a bare page. */
export async function* benchSizes(rounds: number): AsyncGenerator<Table> {
  await buildOnce();
  yield weights();
  const bare = buildBarePage();
  const secrets = { CODE_PEPPER: "a-pepper-of-the-bench-with-32-letters", SENTRY_DSN: "" };
  const { folder, entry } = buildBehind("without-stand-ins");
  const server = join(folder, "server");
  const starters = [
    { name: "a bare page", start: () => startDirectWorker(bare) },
    { name: "/", start: () => startDirectSite(secrets, { folder: server, entry }) },
    { name: "/ with the local Cache API, which starts", start: () => startDirectSite(secrets) },
  ];
  const samples = await inTurns(rounds, starters, ({ start }) => firstPages(start));
  rmSync(folder, { recursive: true });
  yield starts(samples);
  const [ofBarePage = [], ofSite = []] = [...samples.values()].map((own) => own.map(({ firstMs }) => firstMs));
  const slower = medianRatio(ofSite, ofBarePage);
  if (slower <= budgets.firstPage) return;
  process.exitCode = 1;
  process.stderr.write(`The first page takes ${slower.toFixed(2)} times as long as a bare page.\n`);
}

const kilobytes = (bytes: number): string => figure(bytes / 1000, "kB", 1);

function weights(): Table {
  const pages = pageWeights().map(({ path, scripts, styles }) => [
    path,
    kilobytes(scripts),
    kilobytes(budgets.scripts),
    kilobytes(styles),
    kilobytes(budgets.styles),
  ]);
  return {
    title: "Sizes: what a page loads",
    notes: [
      "After gzip -9. Scripts are loaded with little urgency, and every page is complete without them.",
      `The Worker is ${kilobytes(workerWeight())} of ${kilobytes(budgets.worker)}, the font ${kilobytes(fontWeight())} of ${kilobytes(budgets.fonts)}.`,
    ],
    head: ["", "scripts", "budget", "styles", "budget"],
    rows: pages,
  };
}

type Sample = { firstMs: number; laterMs: number };

/** The first page of a newly started runtime, and a page soon after. */
async function firstPages(start: () => Promise<{ origin: string; stop: () => Promise<void> }>): Promise<Sample> {
  const worker = await start();
  const asker = new Asker(worker.origin);
  const { ms: firstMs } = await asker.ask({ path: "/" });
  const later: number[] = [];
  for (let times = 0; times < 20; times++) later.push((await asker.ask({ path: "/" })).ms);
  asker.close();
  await worker.stop();
  return { firstMs, laterMs: median(later) };
}

function starts(samples: ReadonlyMap<{ name: string }, Sample[]>): Table {
  const [baseline = []] = samples.values();
  const first = ({ firstMs }: Sample): number => firstMs;
  return {
    title: "Sizes: the first page of an isolate",
    notes: [
      "Without the start of the modules, which the runtime runs before the first request. The page is written by code that isn't compiled yet.",
      "The local Cache API is another Worker with a database, which starts with the first question to it; Cloudflare's always runs.",
      `This fails if the median ratio of the page without it is above ${budgets.firstPage}.`,
    ],
    head: ["", "first page", "ratio", "soon after"],
    rows: [...samples].map(([{ name }, own]) => [
      name,
      figure(median(own.map(first)), "ms", 1),
      own === baseline ? "1" : ratio(own.map(first), baseline.map(first)),
      figure(median(own.map(({ laterMs }) => laterMs)), "ms", 1),
    ]),
  };
}
