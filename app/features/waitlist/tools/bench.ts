import { openDatabase } from "#app/db/database.server.ts";
import { findQueuePosition } from "../queue.queries.server.ts";
import { confirmPending } from "../confirming.queries.server.ts";
import { noReferrers } from "../rules.ts";
import buildOnce from "#tests/support/site/build-once.ts";
import { startSite } from "#tests/support/site/site.ts";
import { median, quantile } from "../../../../bench/rounds.ts";
import { figure, type Table, wholeNumber } from "../../../../bench/table.ts";

const SIZES = [1_000, 100_000, 1_000_000];
/** Number of rows written by one statement. */
const PORTION = 10_000;
/** Number of positions queried in each waitlist, from its front to its end. */
const POSITIONS = 100;
/** People who confirm during the measurement, each referred by another. */
const CONFIRMATIONS = 20;

type Cost = { read: number; written: number; ms: number };

/**
 * The cost of a position in waitlists of a thousand, a hundred thousand and a million, and of joining. A third of the people were
 * referred by a friend, so that many places differ from the numbers. For comparison: counting everyone ahead one by one, by an index.
 */
export async function* benchWaitlist(): AsyncGenerator<Table> {
  await buildOnce();
  const site = await startSite({ stripe: false });
  const d1 = await site.database();
  // The same interface through a proxy: only the types of the two packages differ.
  const db = openDatabase(d1 as unknown as Parameters<typeof openDatabase>[0]);
  const positions: string[][] = [];
  const steps: string[][] = [];
  for (const size of SIZES) {
    const gate = `plan:of-${size}`;
    await fill(d1, gate, size);
    const tokens = Array.from(
      { length: POSITIONS },
      (_, nth) => `${gate}-${1 + Math.floor((nth * (size - 1)) / (POSITIONS - 1))}`,
    );
    const bySums = await inTurn(tokens, (token) => cost(d1, findQueuePosition(db, token).toSQL()));
    const oneByOne = await inTurn(tokens, (token) => cost(d1, { sql: countAhead, params: [token] }));
    positions.push(
      rowOf(`${wholeNumber(size)}, sums of buckets`, bySums),
      rowOf(`${wholeNumber(size)}, one by one`, oneByOne),
    );
    const pending = await addPending(d1, gate, size);
    const confirmed = await inTurn(pending, (token) => cost(d1, confirmPending(db, confirmationOf(token)).getQuery()));
    steps.push(rowOf(`${wholeNumber(size)}`, confirmed));
  }
  await site.close();
  const head = ["people waiting", "rows read", "at most", "rows written", "time", "95 %"];
  const notes = ["Time is that of the statement with the way there and back."];
  yield {
    title: "Waitlist: a position",
    notes: [`${POSITIONS} positions from the front to the end. ${notes[0]}`],
    head,
    rows: positions,
  };
  yield {
    title: "Waitlist: confirming, brought by a friend",
    notes: [`${CONFIRMATIONS} each. ${notes[0]}`],
    head,
    rows: steps,
  };
}

type D1 = Awaited<ReturnType<Awaited<ReturnType<typeof startSite>>["database"]>>;

const countAhead = `
  with mine as (select gate, sort_number, friends, number from entries where entry_hash = ?)
  select count(*) from mine join entries ahead
  on ahead.gate = mine.gate and ahead.state = 'waiting' and ahead.sort_number <= mine.sort_number
  where (ahead.sort_number, ahead.friends = 0, ahead.number) < (mine.sort_number, mine.friends = 0, mine.number)`;

/** A waitlist in numeric order; every third person was referred by an earlier one. */
async function fill(d1: D1, gate: string, size: number): Promise<void> {
  const write = d1.prepare(`
    insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, referrer_entry_id, created_at,
      confirm_expires_at, confirmed_at)
    with recursive nth(n) as (select cast(?2 as integer) union all select n + 1 from nth where n < ?3)
    select ?1 || '-' || n, ?1, 'waiting', ?1 || n, ?1 || n, ?1 || '-' || n, ?1 || '-' || n, ?1 || n,
      iif(n % 3 = 0, ?1 || '-' || (1 + abs(random()) % n), null), 0, 0, n
    from nth`);
  for (let from = 1; from <= size; from += PORTION) {
    await write.bind(gate, from, Math.min(size, from + PORTION - 1)).run();
  }
}

async function addPending(d1: D1, gate: string, size: number): Promise<string[]> {
  const tokens = Array.from({ length: CONFIRMATIONS }, (_, nth) => `${gate}-pending-${nth}`);
  const write = d1.prepare(`
    insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, referrer_entry_id, created_at,
      confirm_expires_at) values (?1, ?2, 'pending', ?1, ?1, ?1, ?1, ?1, ?3, 0, 1)`);
  await d1.batch(tokens.map((token, nth) => write.bind(token, gate, `${gate}-${1 + ((nth * 7919) % size)}`)));
  return tokens;
}

async function inTurn(tokens: readonly string[], ask: (token: string) => Promise<Cost>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const token of tokens) costs.push(await ask(token));
  return costs;
}

async function cost(d1: D1, query: { sql: string; params: unknown[] }): Promise<Cost> {
  const prepared = d1.prepare(query.sql).bind(...query.params);
  const startedAt = performance.now();
  const { meta } = await prepared.run();
  if (meta.rows_read === 0) throw new Error(`nothing was found by ${query.sql}`);
  return { read: meta.rows_read, written: meta.rows_written, ms: performance.now() - startedAt };
}

function rowOf(name: string, costs: readonly Cost[]): string[] {
  const [read, written, ms] = (["read", "written", "ms"] as const).map((which) => costs.map((each) => each[which]));
  return [
    name,
    wholeNumber(median(read ?? [])),
    wholeNumber(Math.max(...(read ?? []))),
    wholeNumber(Math.max(...(written ?? []))),
    figure(median(ms ?? []), "ms", 1),
    figure(quantile(ms ?? [], 0.95), "ms", 1),
  ];
}

function confirmationOf(confirmHash: string) {
  return { confirmHash, referrers: noReferrers, networkHash: null, now: 0 };
}
