import { setTimeout as pause } from "node:timers/promises";
import type { BareWorker } from "../bare-worker.ts";
import { allOf, Browsers } from "../browsers.ts";
import { inTurns, median } from "../rounds.ts";
import { figure, type Table, wholeNumber } from "../table.ts";
import { type Contestant, startContestant } from "./contestants.ts";
import { eventEnvelope, postEnvelope, replayEnvelope } from "./envelopes.ts";
import { Sink } from "./sink.ts";

const MIB = 1024 * 1024;
const BURSTS = 3;
const WARMING_EVENTS = 64;

type Sample = { idle: number; peaks: number[]; refused: number; reported: number };

/** Many concurrent replays, all in flight until the last one is accepted or refused. */
export async function benchMemory(rounds: number, contestants: readonly Contestant[], replays: number): Promise<Table> {
  const samples = await inTurns(rounds, contestants, (contestant) => measureMemory(contestant, replays));
  const rows = [...samples].map(([{ name }, own]) => {
    const aboveIdle = (burst: number): string =>
      figure(median(own.map(({ idle, peaks }) => ((peaks.at(burst) ?? NaN) - idle) / MIB)), "MiB");
    return [
      name,
      figure(median(own.map(({ idle }) => idle / MIB)), "MiB"),
      aboveIdle(0),
      aboveIdle(-1),
      wholeNumber(median(own.map(({ refused }) => refused))),
      wholeNumber(median(own.map(({ reported }) => reported))),
    ];
  });
  return {
    title: `Tunnel: ${replays} replays of 1 MiB at once, ${BURSTS} times`,
    notes: [
      "Memory is the runtime's whole process; the peaks are above idle. The receiver answers nobody before all have come.",
      `Refused of ${replays * BURSTS} with 429, and how many of them the receiver was told of in client reports.`,
    ],
    head: ["", "idle", "peak of the first", "peak of all", "refused", "reported"],
    rows,
  };
}

async function measureMemory(contestant: Contestant, replays: number): Promise<Sample> {
  const [sink, browsers] = [new Sink(), new Browsers()];
  await sink.listen();
  const worker = await startContestant(contestant, sink.dsn);
  const event = eventEnvelope(sink.dsn, 2_000);
  const sendEvent = (): Promise<unknown> => postEnvelope(browsers, worker.port, event);
  await allOf(WARMING_EVENTS, 1, sendEvent);
  await sink.arrivals(WARMING_EVENTS);
  const sample: Sample = { idle: worker.residentBytes(), peaks: [], refused: 0, reported: 0 };
  for (let burst = 0; burst < BURSTS; burst++) {
    sink.reset();
    sample.refused += await sendReplays(replays, worker, sink, browsers);
    sample.peaks.push(worker.peakBytes());
    // Losses are reported with the next envelope that is forwarded.
    const arrived = sink.arrived;
    await sendEvent();
    await sink.arrivals(arrived + 1);
    sample.reported += sink.reported;
  }
  await worker.stop();
  browsers.close();
  sink.close();
  return sample;
}

/** Returns how many were refused. */
async function sendReplays(replays: number, worker: BareWorker, sink: Sink, browsers: Browsers): Promise<number> {
  const body = replayEnvelope(sink.dsn, MIB);
  let refused = 0;
  sink.answersAfterMs = null;
  const sent = allOf(replays, replays, async () => {
    const { status } = await postEnvelope(browsers, worker.port, body);
    if (status === 429) refused += 1;
    else if (status !== 200) throw new Error(`A replay was answered with ${status}`);
  });
  while (sink.arrived + refused < replays) await pause(5);
  sink.answersAfterMs = 0;
  sink.release();
  await sent;
  return refused;
}
