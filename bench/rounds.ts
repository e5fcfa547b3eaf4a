import { wholeNumber } from "./table.ts";

/**
 * Other processes on the machine take its cores for a while. So the contestants take turns, round after round, and are compared
 * within each round; the median of the rounds is reported, with their range.
 */
export async function inTurns<Contestant, Sample>(
  rounds: number,
  contestants: readonly Contestant[],
  measure: (contestant: Contestant) => Promise<Sample>,
): Promise<Map<Contestant, Sample[]>> {
  const samples = new Map<Contestant, Sample[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round++) {
    // The order is reversed each time: no contestant always runs after another's garbage.
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      samples.get(contestant)?.push(await measure(contestant));
    }
  }
  return samples;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function ratios(values: readonly number[], baseline: readonly number[]): number[] {
  return values.map((value, round) => value / (baseline[round] ?? NaN));
}

export function medianRatio(values: readonly number[], baseline: readonly number[]): number {
  return median(ratios(values, baseline));
}

/** "1.31 (1.12 to 1.40)": the ratio per round, then the median and the middle half, since one disturbed round proves nothing. */
export function ratio(values: readonly number[], baseline: readonly number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios(values, baseline), share));
  return `${times(middle)} (${times(low)} to ${times(high)})`;
}

function times(value = NaN): string {
  if (Number.isNaN(value)) return "?";
  return value < 100 ? value.toFixed(2) : wholeNumber(value);
}
