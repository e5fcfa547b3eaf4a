import { readFileSync } from "node:fs";
import { openDatabase } from "#app/db/database.server.ts";
import { deviceToken } from "#app/features/devices/device-token.rules.ts";
import { findDeviceFacts } from "#app/features/devices/queries.server.ts";
import buildOnce from "#tests/support/site/build-once.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { allOf } from "../browsers.ts";
import { inTurns, median, quantile, ratio } from "../rounds.ts";
import { figure, type Table, wholeNumber } from "../table.ts";
import { runtimeCpuMs } from "../runtimes.ts";

const DEVICES = 100_000;
/** Two devices per account; every third account pays. */
const DEVICES_EACH = 2;
const PORTION = 10_000;
const CHECKS = 400;
const AT_ONCE = 8;
const PEPPER = /^CODE_PEPPER="(.*)"$/m.exec(readFileSync("scripts/site/local.dev.vars", "utf8"))?.[1] ?? "";

type Way = { name: string; status: number; headers: (token: string, etag: string) => Record<string, string> };

/** The outcomes of a check; the first neither reads the database nor signs. */
const WAYS: readonly Way[] = [
  { name: "a token that was made up", status: 401, headers: (token) => bearer(`${token}0`) },
  { name: "a new entitlement", status: 200, headers: (token) => bearer(token) },
  {
    name: "the one that is there, by its ETag",
    status: 304,
    headers: (token, etag) => ({ ...bearer(token), "If-None-Match": etag }),
  },
];

/** The cost of an entitlement check with a hundred thousand devices: on the built site, by its API endpoint. */
export async function* benchEntitlement(rounds: number): AsyncGenerator<Table> {
  await buildOnce();
  const site = await startSite({ stripe: false });
  const d1 = await site.database();
  const costs: string[][] = [];
  for (const [from, to] of [
    [0, 1_000],
    [1_000, DEVICES],
  ] as const) {
    await fill(d1, from, to);
    costs.push(await costOf(d1, to));
  }
  yield {
    title: "Entitlement: the statement behind a check",
    notes: [
      `${DEVICES_EACH} devices to an account, every third account with a plan. ${CHECKS} devices from first to last.`,
    ],
    head: ["devices", "rows read", "at most", "time", "95 %"],
    rows: costs,
  };
  const devices = await Promise.all(spread(DEVICES).map((nth) => aDevice(site, nth)));
  await inTurns(1, WAYS, (way) => measure(site, way, devices));
  yield tableOf(await inTurns(rounds, WAYS, (way) => measure(site, way, devices)));
  await site.close();
}

type D1 = Awaited<ReturnType<Site["database"]>>;

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}

/** Device numbers spread evenly from the first to the last. */
function spread(size: number): number[] {
  return Array.from({ length: CHECKS }, (_, nth) => Math.floor((nth * (size - 1)) / (CHECKS - 1)));
}

async function fill(d1: D1, from: number, to: number): Promise<void> {
  const nth = "with recursive nth(n) as (select cast(?1 as integer) union all select n + 1 from nth where n + 1 < ?2)";
  const writes = [
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     ${nth} select 'acc_' || n, 'active', n, n, 'en', 'UTC', '1', 0 from nth where n % ${DEVICES_EACH} = 0`,
    `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at, synced_at)
     ${nth} select 'sub_' || n, 'acc_' || n, 'active', ?3, 'month', 600, 'EUR', 0, 0, 0 from nth where n % ${3 * DEVICES_EACH} = 0`,
    `insert into devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
     ${nth} select 'dev_' || n, 'acc_' || (n - n % ${DEVICES_EACH}), 'active', n, 'Device', 'Linux', 0, 9e15 from nth where ?3 <> ''`,
  ];
  for (let start = from; start < to; start += PORTION) {
    const end = Math.min(to, start + PORTION);
    await d1.batch(
      writes.map((sql, index) => d1.prepare(sql).bind(...(index === 0 ? [start, end] : [start, end, large.id]))),
    );
  }
}

async function costOf(d1: D1, size: number): Promise<string[]> {
  // The same interface through a proxy: only the types of the two packages differ.
  const db = openDatabase(d1 as unknown as Parameters<typeof openDatabase>[0]);
  const [read, ms]: [number[], number[]] = [[], []];
  for (const nth of spread(size)) {
    const { sql, params } = findDeviceFacts(db, `dev_${nth}`).toSQL();
    const startedAt = performance.now();
    const { meta, results } = await d1
      .prepare(sql)
      .bind(...params)
      .run();
    ms.push(performance.now() - startedAt);
    read.push(meta.rows_read);
    if (results.length !== 1) throw new Error(`dev_${nth} doesn't stand`);
  }
  return [
    wholeNumber(size),
    wholeNumber(median(read)),
    wholeNumber(Math.max(...read)),
    figure(median(ms), "ms", 1),
    figure(quantile(ms, 0.95), "ms", 1),
  ];
}

type Device = { token: string; etag: string };

async function aDevice(site: Site, nth: number): Promise<Device> {
  const token = await deviceToken(PEPPER, `dev_${nth}`);
  const { etag } = await ask(site, bearer(token), nth);
  return { token, etag };
}

/** Each request comes from a network of its own, since the rate limiter counts networks. */
async function ask(site: Site, headers: Record<string, string>, nth: number) {
  const network = { "CF-Connecting-IP": `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}` };
  const answer = await site.fetch("/api/v1/entitlement", { headers: { ...network, ...headers } });
  await answer.arrayBuffer();
  const trips = Number(/desc="(\d+)"/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
  return { status: answer.status, etag: answer.headers.get("ETag") ?? "", trips };
}

type Sample = { perS: number; cpuUs: number; trips: number; answersMs: number[] };

let requestCount = 0;

async function measure(site: Site, way: Way, devices: readonly Device[]): Promise<Sample> {
  const answersMs: number[] = [];
  const left = [...devices];
  let trips = 0;
  const [startedAt, cpuBefore] = [performance.now(), runtimeCpuMs()];
  await allOf(devices.length, AT_ONCE, async () => {
    const { token, etag } = left.pop() ?? { token: "", etag: "" };
    requestCount += 1;
    const sentAt = performance.now();
    const answer = await ask(site, way.headers(token, etag), requestCount);
    answersMs.push(performance.now() - sentAt);
    if (answer.status !== way.status) throw new Error(`${way.name} was answered with ${answer.status}`);
    trips = Math.max(trips, answer.trips);
  });
  const [seconds, cpuMs] = [(performance.now() - startedAt) / 1000, runtimeCpuMs() - cpuBefore];
  return { perS: devices.length / seconds, cpuUs: (cpuMs * 1000) / devices.length, trips, answersMs };
}

function tableOf(samples: ReadonlyMap<Way, Sample[]>): Table {
  const [baseline = []] = samples.values();
  const rows = [...samples].map(([{ name }, own]) => {
    const cpu = ({ cpuUs }: Sample): number => cpuUs;
    const answersMs = own.flatMap((sample) => sample.answersMs);
    return [
      name,
      wholeNumber(median(own.map((sample) => 1_000_000 / sample.cpuUs))),
      figure(median(own.map(cpu)), "µs"),
      own === baseline ? "1" : ratio(own.map(cpu), baseline.map(cpu)),
      wholeNumber(median(own.map(({ perS }) => perS))),
      String(Math.max(...own.map(({ trips }) => trips))),
      figure(median(answersMs), "ms", 1),
      figure(quantile(answersMs, 0.99), "ms", 1),
    ];
  });
  return {
    title: `Entitlement: checks among ${wholeNumber(DEVICES)} devices`,
    notes: [
      `${CHECKS} devices a round, ${AT_ONCE} at once. A core does as many a second as its time per check says: all that the runtime`,
      "takes, the local database and the proxies around it among it. Answered/s is what came of it on this machine, now.",
    ],
    head: ["", "a core does/s", "CPU", "ratio", "answered/s", "D1 trips", "answered in", "99 % in"],
    rows,
  };
}
