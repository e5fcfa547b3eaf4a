import { setTimeout as pause } from "node:timers/promises";
import buildOnce from "#tests/support/site/build-once.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { median, quantile } from "../rounds.ts";
import { residentRuntimes } from "../runtimes.ts";
import { figure, formatTable, wholeNumber } from "../table.ts";
import { eventEnvelope } from "../tunnel/envelopes.ts";
import { Sink } from "../tunnel/sink.ts";
import { openInspectors, openIsolate } from "./inspectors.ts";
import { Memory } from "./memory.ts";
import { walk } from "./walks.ts";

/**
 * `npm run bench -- soak`: customers sign up, pay, use and leave the built site for ten minutes (`--minutes N`), four at a time, and the cron runs
 * every minute. One row per minute; exits with 1 after any wrong response, or when our isolate's memory rises. The
 * processes' memory is reported too: the runtime's, with the local database and bindings, rises without a leak of ours.
 */
const AT_ONCE = 4;
/** Pause between two steps of one customer: a steady load, no race. */
const PAUSE_MS = 50;
/** The runtimes, oldest first, without wrangler's proxies. */
const processes = ["the Stripe emulator", "the site, with its database"];
const OURS = "what the site's isolate holds";
const head = ["minute", "steps", "people", "median", "99 %", "unexpected so far", "processes", "ours of it"];

class Tally {
  readonly troubles = new Map<string, number>();
  /** This minute's durations of steps, a page or call each, and its number of customers who completed every step. */
  ms: number[] = [];
  people = 0;

  note(what: string, error: unknown): void {
    const message = `${what}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`;
    this.troubles.set(message, (this.troubles.get(message) ?? 0) + 1);
  }

  get troubleCount(): number {
    return [...this.troubles.values()].reduce((sum, count) => sum + count, 0);
  }
}

process.env["WRANGLER_LOG"] ??= "warn";
// The memory limit of a deployed isolate. Without a limit the runtime grows with the machine before it collects garbage.
process.env["MINIFLARE_WORKERD_V8_FLAGS"] ??= "--max-old-space-size=128";
// In a local run, wrangler stores data about each request in the runtime's own process, which grows with each.
process.env["X_LOCAL_OBSERVABILITY"] = "false";

/** Returns whether every check passed. */
export async function soak(minutes: number): Promise<boolean> {
  await buildOnce();
  openInspectors();
  const sink = new Sink();
  await sink.listen();
  const site = await startSite({ vars: { SENTRY_DSN: sink.dsn, SENTRY_TRACES_SAMPLE_RATE: "0.1" } });
  const [tally, memory] = [new Tally(), new Memory()];
  // None on systems without process information.
  const newest = residentRuntimes().at(-1);
  const isolate = newest ? await openIsolate(newest.pid, "core:user:tested") : null;
  const envelope = eventEnvelope(sink.dsn, 2_000);
  const ending = new AbortController();
  let people = 0;
  const walkers = Array.from({ length: AT_ONCE }, async () => {
    while (!ending.signal.aborted) await walkThrough({ site, envelope }, (people += 1), tally);
  });
  for (let nth = 1; nth <= minutes; nth++) await aMinute(site, nth, tally, memory, isolate);
  ending.abort();
  await Promise.all(walkers);
  isolate?.close();
  await site.close();
  sink.close();
  const rises = memory.rises(OURS);
  const verdict = rises === null ? "was not looked at for long enough" : rises ? "rises" : "is flat";
  process.stdout.write(`\n${formatTable(memory.table())}\n`);
  process.stdout.write(`What our isolate holds ${verdict}.\n`);
  for (const [message, times] of tally.troubles) process.stdout.write(`${times} times ${message}\n`);
  return tally.troubleCount === 0 && rises !== true;
}

async function walkThrough(ask: Parameters<typeof walk>[0], nth: number, tally: Tally): Promise<void> {
  for await (const { name, run } of walk(ask, nth)) {
    const startedAt = performance.now();
    await run().catch((error: unknown) => tally.note(name, error));
    // Sign-ups and sign-ins aren't timed: they are many requests and wait for emails.
    if (!name.startsWith("sign")) tally.ms.push(performance.now() - startedAt);
    await pause(PAUSE_MS);
  }
  tally.people += 1;
}

type Isolate = Awaited<ReturnType<typeof openIsolate>> | null;

async function aMinute(site: Site, nth: number, tally: Tally, memory: Memory, isolate: Isolate): Promise<void> {
  for (let second = 1; second <= 60; second++) {
    await pause(1_000);
    for (const [index, { residentBytes }] of residentRuntimes().entries()) {
      memory.note(processes[index] ?? `process ${index}`, residentBytes);
    }
    if (isolate && second % 10 === 0) memory.note(OURS, await isolate.heldBytes());
  }
  await site.runCron().catch((error: unknown) => tally.note("the clock", error));
  const own = memory.endMinute();
  const { ms, people } = tally;
  Object.assign(tally, { ms: [], people: 0 });
  const row = [
    String(nth),
    wholeNumber(ms.length),
    wholeNumber(people),
    figure(median(ms), "ms"),
    figure(quantile(ms, 0.99), "ms"),
    wholeNumber(tally.troubleCount),
    `${[...own].flatMap(([owner, mib]) => (owner === OURS ? [] : [mib])).join(" + ")} MiB`,
    `${own.get(OURS) ?? "?"} MiB`,
  ];
  process.stdout.write(`\n${formatTable({ title: `Soak: minute ${nth}`, notes: [], head, rows: [row] })}`);
}
