import { rmSync } from "node:fs";
import { join } from "node:path";
import { product } from "#app/product/config.ts";
import buildOnce from "#tests/support/site/build-once.ts";
import { allOf } from "../browsers.ts";
import { buildBehind } from "../build-behind.ts";
import { startDirectSite, startDirectWorker } from "../direct-worker.ts";
import { runtimeCpuMs } from "../runtimes.ts";
import { inTurns, median, medianRatio, quantile, ratio } from "../rounds.ts";
import { figure, type Table, wholeNumber } from "../table.ts";
import { eventEnvelope } from "../tunnel/envelopes.ts";
import { Sink } from "../tunnel/sink.ts";
import { Asker, type Page } from "./asker.ts";
import { buildBarePage } from "./bare-page.ts";
import { addCustomer, orderId, PEPPER } from "./customer.ts";
import { countElements, type Floor, floorsOn, measureFloors } from "./floors.ts";
import { type PageFigures, readRecorded, record } from "./recorded.ts";

const REQUESTS = 300;
const AT_ONCE = 8;
const entitlement = "/api/v1/entitlement";
const bareQuery = "a bare Worker that asks the database once";
const limitedQuery = "the same, which asks the rate limiter first";
const unlimited = "an entitlement without wrangler's rate limiter";
const pageNotes = [
  `${REQUESTS} requests a turn, ${AT_ONCE} at once; the 99 % are of a turn. Processor time is all that the runtime takes, the local`,
  "database and the key-value store among it.",
];

/**
 * Pages rendered per second and core, compared with a bare React Router page of the same versions in the same runtime: no proxies, no
 * assets, the site with its local database. The bare page has 18 elements. It is also measured with as many elements as
 * the landing page, and in two versions with the minimum of a signed-in visitor's page.
 */
export async function* benchPages(rounds: number, isRecorded: boolean): AsyncGenerator<Table> {
  await buildOnce();
  const sink = new Sink();
  await sink.listen();
  const secrets = { CODE_PEPPER: PEPPER, SENTRY_DSN: sink.dsn };
  const { folder, entry } = buildBehind("without-stand-ins");
  const [page, site, unlimitedSite] = [
    await startDirectWorker(buildBarePage()),
    await startDirectSite(secrets),
    await startDirectSite(secrets, { folder: join(folder, "server"), entry }),
  ];
  const headers = await addCustomer(site.d1);
  await addCustomer(unlimitedSite.d1);
  const asker = new Asker(site.origin);
  const elements = countElements(await asker.text("/"));
  const orders = countElements(await asker.text("/settings/orders", headers.person));
  asker.close();
  const floorPath = await floorsOn(page.origin);
  const pages: Page[] = [
    { name: "a bare page", origin: page.origin, path: "/" },
    { name: `a bare page of ${elements} elements`, origin: page.origin, path: floorPath({ elements, statements: 0 }) },
    { name: "a bare page that asks the database twice", origin: page.origin, path: "/asking/2/0" },
    {
      name: `the same of ${orders} elements`,
      origin: page.origin,
      path: floorPath({ elements: orders, statements: 2 }),
    },
    { name: "/", origin: site.origin, path: "/" },
    { name: "/ rendered for a browser with a cookie", origin: site.origin, path: "/", headers: { Cookie: "known=1" } },
    { name: "/login", origin: site.origin, path: "/login" },
    { name: "/settings", origin: site.origin, path: "/settings", headers: headers.person },
    { name: "/settings/orders", origin: site.origin, path: "/settings/orders", headers: headers.person },
    { name: "/monitoring", origin: site.origin, path: "/monitoring", body: eventEnvelope(sink.dsn, 2_000) },
  ];
  // Code is compiled on its first run.
  for (let times = 0; times < 3; times++) await inTurns(1, pages, measure);
  yield tableOf(
    "Pages: beside a bare page of React Router on a Worker",
    pageNotes,
    await inTurns(rounds, pages, measure),
  );
  const calls: Page[] = [
    { name: bareQuery, origin: page.origin, path: "/query" },
    { name: limitedQuery, origin: page.origin, path: "/limited-query" },
    { name: unlimited, origin: unlimitedSite.origin, path: entitlement, headers: headers.device },
    { name: entitlement, origin: site.origin, path: entitlement, headers: headers.device },
  ];
  for (let times = 0; times < 2; times++) await inTurns(1, calls, measureLonger);
  const samples = await inTurns(rounds, calls, measureLonger);
  yield tableOf("Pages: an entitlement beside a bare Worker that asks the database once", callNotes(samples), samples);
  const floors = await measureFloors(secrets, async (d1) => (await addCustomer(d1)).person);
  const figures = new Map<string, PageFigures>();
  for (const floor of floors) {
    const bare = pages[0] as Page;
    const least = { name: `floor of ${floor.path}`, origin: page.origin, path: floorPath(floor) };
    const own = { name: floor.path, origin: site.origin, path: floor.path, headers: headers.person };
    // One page after the other: all floors run the same code, which would be warmer than that of pages that wait for each other.
    for (let times = 0; times < 2; times++) await inTurns(1, [bare, least, own], measure);
    const samples = await inTurns(rounds, [bare, least, own], measure);
    figures.set(nameOf(floor), figuresOf(floor, { bare, least, own }, samples));
  }
  yield floorsTable(figures);
  if (isRecorded) record({ on: new Date().toISOString().slice(0, 10), pages: Object.fromEntries(figures) });
  await Promise.all([page.stop(), site.stop(), unlimitedSite.stop()]);
  rmSync(folder, { recursive: true });
  sink.close();
}

type Sample = { perS: number; cpuUs: number; bytes: number; answersMs: number[] };

const measure = (page: Page): Promise<Sample> => measureTurn(page, REQUESTS);
/** Calls take only a millisecond or two, so a turn needs more of them for the same precision. */
const measureLonger = (page: Page): Promise<Sample> => measureTurn(page, 2 * REQUESTS);

async function measureTurn(page: Page, requests: number): Promise<Sample> {
  const asker = new Asker(page.origin);
  const answersMs: number[] = [];
  let bytes = 0;
  const [startedAt, cpuBefore] = [performance.now(), runtimeCpuMs()];
  await allOf(requests, AT_ONCE, async () => {
    const answered = await asker.ask(page);
    if (answered.status !== 200) throw new Error(`${page.name} was answered with ${answered.status}`);
    answersMs.push(answered.ms);
    bytes = answered.bytes;
  });
  const [seconds, cpuMs] = [(performance.now() - startedAt) / 1000, runtimeCpuMs() - cpuBefore];
  asker.close();
  return { perS: requests / seconds, cpuUs: (cpuMs * 1000) / requests, bytes, answersMs };
}

/**
 * The aim is at most twice a bare query: one statement, a signature and what every answer needs. Wrangler's rate limiter is a second
 * database and is measured apart.
 */
function callNotes(samples: ReadonlyMap<Page, Sample[]>): string[] {
  const cpuOf = (wanted: string) =>
    [...samples].find(([{ name }]) => name === wanted)?.[1].map(({ cpuUs }) => cpuUs) ?? [];
  const times = (one: string, other: string) => medianRatio(cpuOf(one), cpuOf(other)).toFixed(2);
  return [
    `An entitlement takes ${times(unlimited, bareQuery)} times the processor time of ${bareQuery}. With wrangler's`,
    `rate limiter it takes ${times(entitlement, bareQuery)} times that, and ${times(entitlement, limitedQuery)} times a bare Worker with the limiter.`,
  ];
}

function tableOf(title: string, notes: readonly string[], samples: ReadonlyMap<Page, Sample[]>): Table {
  const [baseline = []] = samples.values();
  const rows = [...samples].map(([{ name }, own]) => {
    const each = (read: (sample: Sample) => number, of = own): number[] => of.map(read);
    const p99 = ({ answersMs }: Sample): number => quantile(answersMs, 0.99);
    const ratioOf = (read: (sample: Sample) => number): string => ratio(each(read), each(read, baseline));
    return [
      name,
      figure(median(each(({ bytes }) => bytes)) / 1000, "kB", 1),
      wholeNumber(median(each(({ perS }) => perS))),
      own === baseline ? "1" : ratioOf(({ perS }) => perS),
      figure(median(each(({ cpuUs }) => cpuUs)), "µs"),
      own === baseline ? "1" : ratioOf(({ cpuUs }) => cpuUs),
      figure(median(each(p99)), "ms", 1),
      own === baseline ? "1" : ratioOf(p99),
    ];
  });
  return {
    title,
    notes,
    head: ["", "size", "answered/s", "ratio", "CPU", "ratio", "99 % in", "ratio"],
    rows,
  };
}

/** The path without the sample's segment and without the id, which is too long for a column. */
function nameOf({ path }: Floor): string {
  return path.replace(`/${product.segment}/`, "/:product/").replace(orderId, ":order");
}

type Compared = Record<"bare" | "least" | "own", Page>;

function figuresOf(floor: Floor, compared: Compared, samples: ReadonlyMap<Page, Sample[]>): PageFigures {
  const { elements, statements, trips, rowsRead: rows } = floor;
  const cpu = (page: Page) => (samples.get(page) ?? []).map(({ cpuUs }) => cpuUs);
  const bytes = (samples.get(compared.own) ?? []).map((sample) => sample.bytes);
  return {
    elements,
    statements,
    trips,
    rows,
    kilobytes: Number((median(bytes) / 1000).toFixed(1)),
    timesBare: Number(medianRatio(cpu(compared.own), cpu(compared.bare)).toFixed(1)),
    timesFloor: Number(medianRatio(cpu(compared.own), cpu(compared.least)).toFixed(2)),
  };
}

const columns: { name: keyof PageFigures; head: string; digits: number }[] = [
  { name: "elements", head: "elements", digits: 0 },
  { name: "statements", head: "statements", digits: 0 },
  { name: "trips", head: "trips", digits: 0 },
  { name: "rows", head: "rows", digits: 0 },
  { name: "kilobytes", head: "kB", digits: 1 },
  { name: "timesBare", head: "× bare", digits: 1 },
  { name: "timesFloor", head: "× floor", digits: 2 },
];

/** Each page of a signed-in customer beside its own floor, and in brackets what was recorded. */
function floorsTable(figures: ReadonlyMap<string, PageFigures>): Table {
  const recorded = readRecorded();
  const rows = [...figures].map(([path, own]) => {
    const before = recorded.pages[path];
    const cell = (name: keyof PageFigures, digits: number) =>
      [own[name].toFixed(digits), before && `(${before[name].toFixed(digits)})`].filter(Boolean).join(" ");
    return [path, ...columns.map(({ name, digits }) => cell(name, digits))];
  });
  return {
    title: "Pages: each page of a customer beside its floor",
    notes: [
      "A page's floor is a bare page with as many elements, which runs as many statements in two round trips. At most 10 times the",
      `bare page's processor time is the aim, and at most 1.6 times the floor's. In brackets: as recorded on ${recorded.on}.`,
    ],
    head: ["", ...columns.map(({ head }) => head)],
    rows,
  };
}
