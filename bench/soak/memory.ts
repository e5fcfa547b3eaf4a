import { quantile } from "../rounds.ts";
import { type Table } from "../table.ts";

const MIB = 1024 * 1024;
/** Warm-up: until then caches fill and code is compiled. */
const WARMING_MINUTES = 3;
/** With fewer minutes than this there are too few pairs, and the slope is noise. */
const MEASURED_MINUTES_MIN = 4;
/** The allowed slope over the later minutes, as a share of the total per minute: less is indistinguishable from noise. */
const RISE_MAX = 0.02;

/**
 * Memory by owner, as the minimum of each minute: what is in use between two requests. The verdict is on the slope between
 * minutes, the median over all pairs after the third one, which a single high minute doesn't move.
 */
export class Memory {
  readonly #minutes: Map<string, number>[] = [];
  #least = new Map<string, number>();

  note(owner: string, bytes: number): void {
    this.#least.set(owner, Math.min(this.#least.get(owner) ?? Infinity, bytes));
  }

  /** Returns each owner's memory in the minute, in MiB. */
  endMinute(): Map<string, string> {
    const minute = this.#least;
    this.#minutes.push(minute);
    this.#least = new Map();
    return new Map([...minute].map(([owner, bytes]) => [owner, inMebibytes(bytes)]));
  }

  /** Null if the run was too short. */
  rises(owner: string): boolean | null {
    const measured = this.#of(owner).slice(WARMING_MINUTES);
    if (measured.length < MEASURED_MINUTES_MIN) return null;
    return slopeOf(measured) > RISE_MAX * (measured[0] ?? 0);
  }

  table(): Table {
    const rows = [...(this.#minutes.at(-1)?.keys() ?? [])].map((owner) => {
      const own = this.#of(owner);
      const measured = own.slice(WARMING_MINUTES);
      const slope = measured.length > 1 ? slopeOf(measured) : undefined;
      return [
        owner,
        ...[measured[0], own.at(-1), slope].map((bytes) => (bytes === undefined ? "–" : inMebibytes(bytes))),
      ];
    });
    return {
      title: "Soak: memory",
      notes: [
        `MiB. Flat means: rises by less than ${RISE_MAX * 100} % a minute after the first ${WARMING_MINUTES} minutes.`,
        ...(this.#minutes.length > WARMING_MINUTES ? [] : ["–: the run ended before the caches were warm."]),
      ],
      head: ["", "after warming", "at the end", "a minute"],
      rows,
    };
  }

  /** The minutes in which the owner existed: a process may start later. */
  #of(owner: string): number[] {
    return this.#minutes.flatMap((minute) => minute.get(owner) ?? []);
  }
}

function inMebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((one, at) => values.slice(at + 1).map((other, index) => (other - one) / (index + 1)));
  return quantile(slopes, 0.5);
}
