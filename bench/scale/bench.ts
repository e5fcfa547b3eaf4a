import { rmSync } from "node:fs";
import buildOnce from "#tests/support/site/build-once.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { aCustomer } from "../a-customer.ts";
import { buildBehind } from "../build-behind.ts";
import type { CountedStatement } from "../counting.ts";
import { fill } from "../crowd.ts";
import { median } from "../rounds.ts";
import { type Table, wholeNumber } from "../table.ts";
import { benchBytes } from "./bytes.ts";
import { type RequestInput, requestsOf } from "./requests.ts";

const SIZES = [1_000, 100_000, 1_000_000];
/** Number of requests of each kind; the first may include one-time work. */
const TIMES = 3;

type Cost = { read: number; written: number; trips: CountedStatement[] };

/**
 * Bytes of a customer, and rows that each request reads and writes among a thousand, a hundred thousand and a million people with a session, an order, a device,
 * settings and so on: it should be constant. The built site with the Stripe emulator; D1's metadata reports each statement's reads.
 */
export async function* benchScale(): AsyncGenerator<Table> {
  yield* benchBytes();
  await buildOnce();
  const site = await startSite();
  const { folder } = buildBehind("counting");
  await site.switchBuild(folder);
  const customer = await aCustomer(site, "whose-requests-are-counted@example.com");
  const d1 = await site.database();
  const [known] = (await d1.prepare("select provider_id as id from customers").all<{ id: string }>()).results;
  const requests = requestsOf(site, { customer, customerId: known?.id ?? "" });
  const costs = new Map<RequestInput, Cost[]>(requests.map((request) => [request, []]));
  const now = Date.now();
  for (const [index, size] of SIZES.entries()) {
    await fill(d1, SIZES[index - 1] ?? 1, size, now);
    for (const request of requests) costs.get(request)?.push(await costOf(site, request));
  }
  await site.close();
  rmSync(folder, { recursive: true });
  yield tableOf(costs);
  yield grownOf(costs);
}

/** The median over some requests: excludes one-time work, such as recording a session's last use. */
async function costOf(site: Site, { ask }: RequestInput): Promise<Cost> {
  const found: Cost[] = [];
  await counted(site);
  for (let times = 0; times < TIMES; times++) {
    await ask();
    const trips = await counted(site);
    const sum = (which: "read" | "written"): number => trips.reduce((total, each) => total + each[which], 0);
    found.push({ read: sum("read"), written: sum("written"), trips });
  }
  const middle = median(found.map(({ read }) => read));
  return found.find(({ read }) => read === middle) ?? { read: NaN, written: NaN, trips: [] };
}

async function counted(site: Site): Promise<CountedStatement[]> {
  return (await (await site.fetch("/counted")).json()) as CountedStatement[];
}

function tableOf(costs: ReadonlyMap<RequestInput, Cost[]>): Table {
  const rows = [...costs].map(([{ name }, own]) => [
    name,
    ...own.map(({ read }) => wholeNumber(read)),
    wholeNumber(own.at(-1)?.written ?? NaN),
  ]);
  return {
    title: "Scale: rows read by a request",
    notes: [
      "Rows written are those among the most people. A sign-up and a sign-in are all their pages together; with each sign-in of before",
      "its person has more codes, sessions and news, which /login and /settings show.",
    ],
    head: ["", ...SIZES.map((size) => `of ${wholeNumber(size)}`), "written"],
    rows,
  };
}

/** Statements that read more rows among more people, by more than a few index rows. */
function grownOf(costs: ReadonlyMap<RequestInput, Cost[]>): Table {
  const rows = [...costs].flatMap(([{ name }, own]) => {
    const [first, last] = [readOf(own[0]), readOf(own.at(-1))];
    return [...last].flatMap(([query, read]) => {
      const before = first.get(query) ?? 0;
      return read > before + 20
        ? [[`${name}: ${query.replaceAll(/\s+/g, " ").trim().slice(0, 110)}`, `${before}`, `${read}`]]
        : [];
    });
  });
  return {
    title: "Scale: statements that read more among more people",
    notes: rows.length === 0 ? ["None."] : [],
    head: ["", `of ${wholeNumber(SIZES[0] ?? 0)}`, `of ${wholeNumber(SIZES.at(-1) ?? 0)}`],
    rows,
  };
}

function readOf(cost: Cost | undefined): Map<string, number> {
  const read = new Map<string, number>();
  for (const each of cost?.trips ?? []) read.set(each.query, (read.get(each.query) ?? 0) + each.read);
  return read;
}
