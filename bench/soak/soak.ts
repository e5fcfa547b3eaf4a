import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import buildOnce from "#tests/support/build-once.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { median, quantile } from "../rounds.ts";
import { figure, formatTable, wholeNumber } from "../table.ts";
import { eventEnvelope } from "../tunnel/envelopes.ts";
import { Sink } from "../tunnel/sink.ts";
import { Memory } from "./memory.ts";
import { walk } from "./walks.ts";

/**
 * `npm run soak`: people come, pay, use and leave the built site for ten minutes (`--minutes N`), four at a time, and the clock strikes
 * every minute. A row a minute; ends with 1 when anything was answered as it shouldn't be. Memory is told and not judged: the local
 * runtime has some of its own that rises, in wrangler's proxies, too, while the heap of our isolate doesn't (decision 0040).
 */
const AT_ONCE = 4;
/** Between two steps of one person: a steady load, no race. */
const PAUSE_MS = 50;
const head = ["minute", "steps", "people", "median", "99 %", "unexpected so far", "resident"];

class Tally {
  readonly troubles = new Map<string, number>();
  /** Of this minute: steps of one page or call, and people who went the whole way. */
  ms: number[] = [];
  people = 0;

  note(what: string, error: unknown): void {
    const words = `${what}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`;
    this.troubles.set(words, (this.troubles.get(words) ?? 0) + 1);
  }

  get troubleCount(): number {
    return [...this.troubles.values()].reduce((sum, count) => sum + count, 0);
  }
}

process.env["WRANGLER_LOG"] ??= "warn";
// As much as an isolate has where it is deployed. Without a limit the runtime grows with the machine before it collects garbage.
process.env["MINIFLARE_WORKERD_V8_FLAGS"] ??= "--max-old-space-size=128";
// What wrangler keeps of each request in a local run, in the runtime's own process, grows with each.
process.env["X_LOCAL_OBSERVABILITY"] = "false";
// So that what was started ends with it: only an exit is heard by those who started it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const { values } = parseArgs({ options: { minutes: { type: "string" } } });
process.exitCode = (await soak(Number(values.minutes ?? 10))) ? 0 : 1;

/** Whether all went as it should. */
async function soak(minutes: number): Promise<boolean> {
  buildOnce();
  const sink = new Sink();
  await sink.listen();
  const site = await startSite({ vars: { SENTRY_DSN: sink.dsn, SENTRY_TRACES_SAMPLE_RATE: "0.1" } });
  const [tally, memory] = [new Tally(), new Memory()];
  const envelope = eventEnvelope(sink.dsn, 2_000);
  const endsAt = performance.now() + minutes * 60_000;
  let people = 0;
  const walkers = Array.from({ length: AT_ONCE }, async () => {
    while (performance.now() < endsAt) await walkThrough({ site, envelope }, (people += 1), tally);
  });
  for (let nth = 1; nth <= minutes; nth++) await aMinute(site, nth, tally, memory);
  await Promise.all(walkers);
  await site.close();
  sink.close();
  const grows = memory.grows();
  const verdict = grows === null ? "was not looked at for long enough" : grows ? "rises" : "is flat";
  process.stdout.write(`\n${formatTable(memory.table())}\n`);
  process.stdout.write(`Memory of the runtimes ${verdict}.\n`);
  for (const [words, times] of tally.troubles) process.stdout.write(`${times} times ${words}\n`);
  return tally.troubleCount === 0;
}

async function walkThrough(ask: Parameters<typeof walk>[0], nth: number, tally: Tally): Promise<void> {
  for await (const { name, run } of walk(ask, nth)) {
    const startedAt = performance.now();
    await run().catch((error: unknown) => tally.note(name, error));
    // A sign-up and a sign-in are many requests, and wait for mails.
    if (!name.startsWith("sign")) tally.ms.push(performance.now() - startedAt);
    await pause(PAUSE_MS);
  }
  tally.people += 1;
}

async function aMinute(site: Site, nth: number, tally: Tally, memory: Memory): Promise<void> {
  for (let second = 0; second < 60; second++) {
    await pause(1_000);
    memory.look();
  }
  await site.strike().catch((error: unknown) => tally.note("the clock", error));
  const { ms, people } = tally;
  Object.assign(tally, { ms: [], people: 0 });
  const row = [
    String(nth),
    wholeNumber(ms.length),
    wholeNumber(people),
    figure(median(ms), "ms"),
    figure(quantile(ms, 0.99), "ms"),
    wholeNumber(tally.troubleCount),
    memory.endMinute(),
  ];
  process.stdout.write(`\n${formatTable({ title: `Soak: minute ${nth}`, notes: [], head, rows: [row] })}`);
}
