import { quantile } from "../rounds.ts";
import { type Runtime, residentRuntimes } from "../runtimes.ts";
import { type Table, wholeNumber } from "../table.ts";

const MIB = 1024 * 1024;
/** Until then caches fill and code is translated. */
const WARMING_MINUTES = 3;
/** So much of what there is may the line through the later minutes rise in a minute: less can't be told from noise. */
const RISE_MAX = 0.02;

/**
 * The memory of each runtime, by what it had least in a minute: what garbage collection leaves. Judged is the slope between minutes, the
 * median of those of all pairs after the third one, which a single high minute doesn't move.
 */
export class Memory {
  readonly #minutes: Map<number, number>[] = [];
  #least = new Map<number, number>();

  look(runtimes: readonly Runtime[] = residentRuntimes()): void {
    for (const { pid, residentBytes } of runtimes) {
      this.#least.set(pid, Math.min(this.#least.get(pid) ?? Infinity, residentBytes));
    }
  }

  endMinute(): string {
    this.#minutes.push(this.#least);
    const words = [...this.#least.values()].map((bytes) => wholeNumber(bytes / MIB)).join(" + ");
    this.#least = new Map();
    return `${words} MiB`;
  }

  /** Null: it was too short to be told. */
  grows(): boolean | null {
    const all = this.#minutes.map((minute) => [...minute.values()].reduce((sum, bytes) => sum + bytes, 0));
    const slope = slopeOf(all.slice(WARMING_MINUTES));
    return Number.isNaN(slope) ? null : slope > RISE_MAX * (all[WARMING_MINUTES] ?? 0);
  }

  table(): Table {
    const rows = [...(this.#minutes.at(-1)?.keys() ?? [])].map((pid) => {
      const own = this.#minutes.map((minute) => minute.get(pid) ?? NaN);
      const [first = NaN, last = NaN] = [own[WARMING_MINUTES], own.at(-1)];
      const slope = slopeOf(own.slice(WARMING_MINUTES));
      return [`process ${pid}`, ...[first, last, slope].map((bytes) => (bytes / MIB).toFixed(1))];
    });
    return {
      title: "Soak: memory of the runtimes, the local Stripe's first, then the site's, each behind wrangler's proxy",
      notes: [`MiB. Flat means: all together rise by less than ${RISE_MAX * 100} % a minute after the third one.`],
      head: ["", "after warming", "at the end", "a minute"],
      rows,
    };
  }
}

function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((one, at) => values.slice(at + 1).map((other, index) => (other - one) / (index + 1)));
  return quantile(slopes, 0.5);
}
