import type { Table } from "../table.ts";
import { contestants } from "./contestants.ts";
import { benchMemory } from "./memory.ts";
import { benchSlowReceiver } from "./slow-receiver.ts";
import { benchThroughput } from "./throughput.ts";

/** Our tunnel compared with the SDK's own, both in the same runtime on the same machine. */
export async function* benchTunnel(rounds: number): AsyncGenerator<Table> {
  const all = await contestants();
  yield* benchThroughput(rounds, all);
  // These two restart all processes in each round, and differ by more than a busy machine's noise.
  const fewRounds = Math.ceil(rounds / 3);
  yield await benchSlowReceiver(fewRounds, all);
  for (const replays of [64, 256]) yield await benchMemory(fewRounds, all, replays);
}
