import { quantile } from "../rounds.ts";
import { type Table } from "../table.ts";

const MIB = 1024 * 1024;
/** Until then caches fill and code is translated. */
const WARMING_MINUTES = 3;
/** Fewer pairs than these minutes have are noise. */
const JUDGED_MINUTES_MIN = 4;
/** So much of what there is may the line through the later minutes rise in a minute: less can't be told from noise. */
const RISE_MAX = 0.02;

/**
 * Memory by its owner, and of each the least that it had in a minute: what is in use between two requests. Judged is the slope between
 * minutes, the median of those of all pairs after the third one, which a single high minute doesn't move.
 */
export class Memory {
  readonly #minutes: Map<string, number>[] = [];
  #least = new Map<string, number>();

  note(owner: string, bytes: number): void {
    this.#least.set(owner, Math.min(this.#least.get(owner) ?? Infinity, bytes));
  }

  /** Answers what each owner had in the minute, in MiB. */
  endMinute(): Map<string, string> {
    const minute = this.#least;
    this.#minutes.push(minute);
    this.#least = new Map();
    return new Map([...minute].map(([owner, bytes]) => [owner, inMebibytes(bytes)]));
  }

  /** Null: it was too short to be told. */
  rises(owner: string): boolean | null {
    const judged = this.#of(owner).slice(WARMING_MINUTES);
    if (judged.length < JUDGED_MINUTES_MIN) return null;
    return slopeOf(judged) > RISE_MAX * (judged[0] ?? 0);
  }

  table(): Table {
    const rows = [...(this.#minutes.at(-1)?.keys() ?? [])].map((owner) => {
      const own = this.#of(owner);
      const judged = own.slice(WARMING_MINUTES);
      const slope = judged.length > 1 ? slopeOf(judged) : undefined;
      return [
        owner,
        ...[judged[0], own.at(-1), slope].map((bytes) => (bytes === undefined ? "–" : inMebibytes(bytes))),
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

  /** Minutes in which the owner was there: a process may begin later. */
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
