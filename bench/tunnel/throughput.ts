import type { BareWorker } from "../bare-worker.ts";
import { allOf, Browsers } from "../browsers.ts";
import { inTurns, median, quantile, ratio } from "../rounds.ts";
import { figure, type Table, wholeNumber } from "../table.ts";
import { type Contestant, startContestant } from "./contestants.ts";
import { eventEnvelope, postEnvelope } from "./envelopes.ts";
import { Sink } from "./sink.ts";

type Load = {
  name: string;
  bytes: number;
  count: number;
  /** Sentry's own receiver declares the length of its responses; others send them in chunks. */
  answersInChunks: boolean;
  /** What a browser waits for before it sends the next envelope: the receiver has this one, or only the tunnel. */
  waitsFor: "arrival" | "answer";
};

const LOADS: readonly Load[] = [
  { name: "2 kB events", bytes: 2_000, count: 2_000, answersInChunks: false, waitsFor: "arrival" },
  { name: "2 kB events, chunked answers", bytes: 2_000, count: 2_000, answersInChunks: true, waitsFor: "arrival" },
  { name: "100 kB events", bytes: 100_000, count: 500, answersInChunks: false, waitsFor: "arrival" },
  { name: "2 kB events, unpaced", bytes: 2_000, count: 2_000, answersInChunks: false, waitsFor: "answer" },
  { name: "100 kB events, unpaced", bytes: 100_000, count: 500, answersInChunks: false, waitsFor: "answer" },
];
const BROWSERS_AT_ONCE = 16;

const NOTES = {
  arrival: [
    `${BROWSERS_AT_ONCE} browsers, each sends its next envelope when the receiver has the one before and the browser its answer.`,
  ],
  answer: [
    `${BROWSERS_AT_ONCE} browsers, each sends its next envelope as soon as it is answered, whether the receiver has the one`,
    "before or not: a tunnel that answers at once is asked for more than can be forwarded, and refuses.",
  ],
};

type Sample = { arrivedPerS: number; cpuUs: number; refusedShare: number; answersMs: number[] };

type Runner = { name: string; worker: BareWorker };

export async function* benchThroughput(rounds: number, contestants: readonly Contestant[]): AsyncGenerator<Table> {
  const [sink, browsers] = [new Sink(), new Browsers()];
  await sink.listen();
  const start = async (contestant: Contestant): Promise<Runner> => ({
    name: contestant.name,
    worker: await startContestant(contestant, sink.dsn),
  });
  const runners = await Promise.all(contestants.map(start));
  for (const load of LOADS) {
    const measure = ({ worker }: Runner): Promise<Sample> => measureLoad(load, worker, sink, browsers);
    // The first round only warms up.
    await inTurns(1, runners, measure);
    yield tableOf(load, await inTurns(rounds, runners, measure));
  }
  await Promise.all(runners.map(({ worker }) => worker.stop()));
  browsers.close();
  sink.close();
}

async function measureLoad(load: Load, worker: BareWorker, sink: Sink, browsers: Browsers): Promise<Sample> {
  const body = eventEnvelope(sink.dsn, load.bytes);
  sink.reset();
  sink.answersInChunks = load.answersInChunks;
  const answersMs: number[] = [];
  let accepted = 0;
  const [startedAt, cpuBefore] = [performance.now(), worker.cpuMs()];
  await allOf(load.count, BROWSERS_AT_ONCE, async () => {
    const { status, ms } = await postEnvelope(browsers, worker.port, body);
    answersMs.push(ms);
    if (status === 200) accepted += 1;
    else if (status !== 429) throw new Error(`An envelope was answered with ${status}`);
    if (status === 200 && load.waitsFor === "arrival") await sink.arrivals(accepted);
  });
  await sink.arrivals(accepted);
  const [seconds, cpuAfter] = [(performance.now() - startedAt) / 1000, worker.cpuMs()];
  return {
    arrivedPerS: accepted / seconds,
    cpuUs: ((cpuAfter - cpuBefore) * 1000) / accepted,
    refusedShare: 1 - accepted / load.count,
    answersMs,
  };
}

function tableOf(load: Load, samples: ReadonlyMap<Runner, Sample[]>): Table {
  const [baseline = []] = samples.values();
  const rows = [...samples].map(([{ name }, own]) => {
    const arrived = (sample: Sample): number => sample.arrivedPerS;
    const cpu = ({ cpuUs }: Sample): number => cpuUs;
    const answersMs = own.flatMap((sample) => sample.answersMs);
    return [
      name,
      wholeNumber(median(own.map(arrived))),
      own === baseline ? "1" : ratio(own.map(arrived), baseline.map(arrived)),
      figure(median(own.map(cpu)), "µs"),
      own === baseline ? "1" : ratio(own.map(cpu), baseline.map(cpu)),
      figure(median(answersMs), "ms", 1),
      figure(quantile(answersMs, 0.99), "ms", 1),
      `${wholeNumber(100 * median(own.map(({ refusedShare }) => refusedShare)))} %`,
    ];
  });
  const head = ["", "arrived/s", "ratio", "CPU/envelope", "ratio", "answered in", "99 % in", "refused"];
  return { title: `Tunnel: ${load.name}`, notes: NOTES[load.waitsFor], head, rows };
}
