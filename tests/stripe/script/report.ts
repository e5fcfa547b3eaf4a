import { compareRecordings, sayDifference } from "./compare.ts";
import { withoutKnown } from "./known-differences.ts";
import type { Recording } from "./normalise.ts";

export type Report = { lines: string[]; isSame: boolean };

/**
 * What `npm run test:stripe` prints: a line per difference of the emulator from the other recordings, except the
 * known ones.
 */
export function reportDifferences(emulator: Recording[], other: Recording[]): Report {
  const differences = other.flatMap((recording) => {
    const own = emulator.find(({ step }) => step === recording.step);
    if (own === undefined) return [`${recording.step}: the script has no such step any more`];
    return withoutKnown(compareRecordings(own, recording)).map(sayDifference);
  });
  const summary = `${other.length} steps compared, ${differences.length} differences`;
  return { lines: [...differences, summary], isSame: differences.length === 0 };
}
