import { applyMigrations } from "../../scripts/site/apply-migrations.ts";
import buildOnce from "#tests/support/site/build-once.ts";
import { allOf } from "../browsers.ts";
import { startDirectSite, startDirectWorker } from "../direct-worker.ts";
import { Asker } from "../pages/asker.ts";
import { buildBarePage } from "../pages/bare-page.ts";
import { addCustomer, customerId, PEPPER } from "../pages/customer.ts";
import { countElements, type Floor, floorsOn, measureFloors } from "../pages/floors.ts";
import { inTurns, median, medianRatio, ratio } from "../rounds.ts";
import { runtimeCpuMs } from "../runtimes.ts";
import { figure, type Table, wholeNumber } from "../table.ts";
import { buildSveltekit, buildTanstackStart, type FrameworkBuild } from "./builds.ts";
import { loadedScripts } from "./loaded-scripts.ts";

const REQUESTS = 150;
const AT_ONCE = 8;
const secrets = { CODE_PEPPER: PEPPER, SENTRY_DSN: "" };
const sitePath = "/settings/orders";

type Runtime = { origin: string; stop: () => Promise<void>; headers?: Record<string, string> };
type Contestant = {
  name: string;
  start: () => Promise<Runtime>;
  path: string;
  headers?: Record<string, string>;
  client: string;
};
type Started = Contestant & { runtime: Runtime };

/**
 * The page of orders in other frameworks: the same elements, rows, statements and texts, each built and configured as its starter for Workers
 * does it, on the same runtime. What a framework is measured by is this page in React Router; the site's own page also signs in, filters and
 * charts.
 */
export async function* benchFrameworks(rounds: number): AsyncGenerator<Table> {
  await buildOnce();
  const bare = { server: buildBarePage(), entry: "index.js", client: "node_modules/.bare-page/client" };
  const floors = await measureFloors(secrets, async (d1) => (await addCustomer(d1)).person);
  const floor = floors.find(({ path }) => path === sitePath);
  if (floor === undefined) throw new Error(`${sitePath} has no floor`);
  const { lines, floorPath } = await onBarePage(bare, floor);
  const path = `/orders/${customerId}/${lines}`;
  const missing: string[] = [];
  const tanstackStart = built("TanStack Start", buildTanstackStart, missing);
  const sveltekit = built("SvelteKit", buildSveltekit, missing);
  const contestants = [
    contestant("a bare React Router page", bare, "/"),
    contestant("the orders as JSON, no framework", bare, `/data/${customerId}`),
    contestant(`its floor of ${sitePath}`, bare, floorPath),
    contestant("React Router, orders", bare, path),
    ...tanstackStart.map((build) => contestant("TanStack Start, orders", build, path)),
    ...sveltekit.map((build) => contestant("SvelteKit, orders", build, path)),
    // Its adapter looks for every page in the Cache API, unless the browser says no-cache.
    ...sveltekit.map((build) => contestant("the same, no-cache", build, path, { "Cache-Control": "no-cache" })),
    { name: sitePath, start: startSite, path: sitePath, client: "build/client" },
  ];
  yield await measureAll(contestants, rounds, missing);
}

function built(name: string, build: () => FrameworkBuild, missing: string[]): FrameworkBuild[] {
  try {
    return [build()];
  } catch (error) {
    const reason = String(error).trim().split("\n").slice(0, 3).join(" ");
    missing.push(`${name} is missing, since it could not be installed and built: ${reason}`);
    return [];
  }
}

function contestant(name: string, build: FrameworkBuild, path: string, headers?: Record<string, string>): Contestant {
  return { name, path, headers, client: build.client, start: () => startBuild(build) };
}

/** On the site's tables with the site's rows. */
async function startBuild({ server, entry }: FrameworkBuild): Promise<Runtime> {
  const worker = await startDirectWorker(server, {}, entry);
  const d1 = await worker.database();
  await applyMigrations(d1);
  await addCustomer(d1);
  return worker;
}

async function startSite(): Promise<Runtime> {
  const site = await startDirectSite(secrets);
  return { ...site, headers: (await addCustomer(site.d1)).person };
}

/** So that the page in React Router has as many elements as the site's own, and where its floor is. */
async function onBarePage(bare: FrameworkBuild, floor: Floor): Promise<{ lines: number; floorPath: string }> {
  const runtime = await startBuild(bare);
  const asker = new Asker(runtime.origin);
  const own = countElements(await asker.text(`/orders/${customerId}/0`));
  const floorPath = (await floorsOn(runtime.origin))(floor);
  asker.close();
  await runtime.stop();
  return { lines: Math.round((floor.elements - own) / 2), floorPath };
}

type Sample = { cpuUs: number; bytes: number };

async function measureAll(contestants: readonly Contestant[], rounds: number, missing: string[]): Promise<Table> {
  const started: Started[] = [];
  for (const each of contestants) started.push({ ...each, runtime: await each.start() });
  const pages = new Map<Contestant, { elements: number; scripts: number }>();
  for (const { runtime, path, headers, client, name } of started) {
    const response = await fetch(runtime.origin + path, { headers: { ...runtime.headers, ...headers } });
    const html = await response.text();
    const scripts = loadedScripts({ html, link: response.headers.get("Link") ?? "" }, path, client);
    pages.set(contestants.find((each) => each.name === name) as Contestant, { elements: countElements(html), scripts });
  }
  // Code is compiled on its first run.
  for (let times = 0; times < 3; times++) await inTurns(1, started, measure);
  const samples = [...(await inTurns(rounds, started, measure)).values()];
  for (const { runtime } of started) await runtime.stop();
  const firsts = [...(await inTurns(rounds, contestants, firstPage)).values()];
  const cpu = samples.map((own) => own.map(({ cpuUs }) => cpuUs));
  const equal = contestants.findIndex(({ name }) => name === "React Router, orders");
  return {
    title: "Frameworks: the page of orders, as each framework renders it on a Worker",
    notes: [
      `${REQUESTS} requests a turn, ${AT_ONCE} at once; CPU is all that the runtime takes, the local database among it. Scripts are after gzip -9.`,
      "A first page is that of a new runtime, as long as it takes. The site's own page is signed in and has more to decide.",
      ...missing,
    ],
    head: ["", "elements", "HTML", "scripts", "CPU", "× bare", "× React Router's", "first page", "× bare"],
    rows: contestants.map((each, index) => [
      each.name,
      wholeNumber(pages.get(each)?.elements ?? NaN),
      figure(median((samples[index] ?? []).map(({ bytes }) => bytes)) / 1000, "kB", 1),
      figure((pages.get(each)?.scripts ?? NaN) / 1000, "kB", 1),
      figure(median(cpu[index] ?? []) / 1000, "ms", 2),
      ratio(cpu[index] ?? [], cpu[0] ?? []),
      medianRatio(cpu[index] ?? [], cpu[equal] ?? []).toFixed(2),
      figure(median(firsts[index] ?? []), "ms", 1),
      medianRatio(firsts[index] ?? [], firsts[0] ?? []).toFixed(2),
    ]),
  };
}

async function measure({ runtime, path, headers, name }: Started): Promise<Sample> {
  const asker = new Asker(runtime.origin);
  let bytes = 0;
  const cpuBefore = runtimeCpuMs();
  await allOf(REQUESTS, AT_ONCE, async () => {
    const answered = await asker.ask({ path, headers: { ...runtime.headers, ...headers } });
    if (answered.status !== 200) throw new Error(`${name} was answered with ${answered.status}`);
    bytes = answered.bytes;
  });
  const cpuMs = runtimeCpuMs() - cpuBefore;
  asker.close();
  return { cpuUs: (cpuMs * 1000) / REQUESTS, bytes };
}

async function firstPage({ start, path, headers }: Contestant): Promise<number> {
  const runtime = await start();
  const asker = new Asker(runtime.origin);
  const { ms } = await asker.ask({ path, headers: { ...runtime.headers, ...headers } });
  asker.close();
  await runtime.stop();
  return ms;
}
