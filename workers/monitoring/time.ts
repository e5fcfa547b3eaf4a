/** Whole seconds from `now` until `at`, rounded up and never negative: what a Retry-After header carries. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/**
 * For something that may take so long and no longer: it is raced against `over`. Not an AbortSignal: the runtime looks at one when the
 * next part comes, which a body that stalls never has.
 */
export function startDeadline(ms: number): { over: Promise<"over">; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<"over">((resolve) => {
    timer = setTimeout(resolve, ms, "over");
  });
  return { over, stop: () => clearTimeout(timer) };
}
