import { setTimeout as pause } from "node:timers/promises";
import { Browsers } from "../browsers.ts";
import { inTurns, median, quantile, ratio } from "../rounds.ts";
import { figure, type Table } from "../table.ts";
import { type Contestant, startContestant } from "./contestants.ts";
import { eventEnvelope, postEnvelope } from "./envelopes.ts";
import { Sink } from "./sink.ts";

const RECEIVER_TAKES_MS = 4_000;
/** All of them are in flight at the same time, and still fit into the queue. */
const ENVELOPES = 60;
const GAP_MS = 20;

/** How long a browser waits for its response when the receiver is slow. */
export async function benchSlowReceiver(rounds: number, contestants: readonly Contestant[]): Promise<Table> {
  const samples = await inTurns(rounds, contestants, measureAnswers);
  const [baseline = []] = samples.values();
  const medians = (own: readonly number[][]): number[] => own.map(median);
  const rows = [...samples].map(([{ name }, own]) => [
    name,
    figure(median(own.flat()), "ms", 1),
    figure(quantile(own.flat(), 0.99), "ms", 1),
    figure(Math.max(...own.flat()), "ms", 1),
    own === baseline ? "1" : ratio(medians(baseline), medians(own)),
  ]);
  return {
    title: `Tunnel: a receiver that takes ${RECEIVER_TAKES_MS / 1000} s`,
    notes: [`${ENVELOPES} envelopes of 2 kB, one each ${GAP_MS} ms.`],
    head: ["", "answered in", "99 % in", "all in", "times as fast"],
    rows,
  };
}

async function measureAnswers(contestant: Contestant): Promise<number[]> {
  const [sink, browsers] = [new Sink(), new Browsers()];
  await sink.listen();
  const worker = await startContestant(contestant, sink.dsn);
  const body = eventEnvelope(sink.dsn, 2_000);
  const send = async (): Promise<number> => {
    const { status, ms } = await postEnvelope(browsers, worker.port, body);
    if (status !== 200) throw new Error(`An envelope was answered with ${status}`);
    return ms;
  };
  // The first responses measure the runtime's start, not the tunnel.
  for (let count = 0; count < ENVELOPES; count++) await send();
  sink.answersAfterMs = RECEIVER_TAKES_MS;
  const answers: Promise<number>[] = [];
  for (let count = 0; count < ENVELOPES; count++) {
    answers.push(send());
    await pause(GAP_MS);
  }
  const answersMs = await Promise.all(answers);
  await worker.stop();
  browsers.close();
  sink.close();
  return answersMs;
}
