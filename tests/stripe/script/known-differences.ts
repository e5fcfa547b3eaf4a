import type { Difference } from "./compare.ts";

/** Where the emulator knowingly differs from what Stripe's test mode answered. Filled with the first recording. */
type KnownDifference = { step: RegExp; call: RegExp; path: RegExp; reason: string };

export const knownDifferences: KnownDifference[] = [];

export const withoutKnown = (differences: Difference[]): Difference[] =>
  differences.filter(
    ({ step, call, path }) =>
      !knownDifferences.some((known) => known.step.test(step) && known.call.test(call) && known.path.test(path)),
  );
